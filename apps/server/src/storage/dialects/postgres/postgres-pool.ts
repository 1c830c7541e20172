import type { PoolClient } from "pg";
import type { PoolLoad } from "../../interface/storage-load.ts";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import { cancelQuery } from "./cancel-query.ts";
import { CircuitBreakers, type NodeOf, type Turn } from "./circuit-breakers.ts";
import { ConnectionTurns } from "./connection-turns.ts";
import { createDriverPool, type DriverPool, type PoolUse } from "./create-driver-pool.ts";
import { type ConnectionState, translatePostgresError } from "./postgres-error.ts";
import type { PostgresSettings } from "./postgres-url.ts";
import type { SharedWork, unanswered } from "./shared-connection.ts";
import { maxCallers, SharedConnections } from "./shared-connections.ts";

export interface PoolOptions extends PoolUse {
  readonly maxConnections: number;
  readonly nodeOf: NodeOf;
}

/** A connection that a caller has for itself. */
export interface HeldConnection {
  readonly client: PoolClient;
  readonly turn: Turn;
  /** Whether a request to cancel is on its way, which could end the query of its next caller. */
  isCanceled: boolean;
  /** Fires when the connection has been held for too long. */
  readonly timer: NodeJS.Timeout;
}

/** A connection that is held for longer hangs. Each of our statements takes a few milliseconds. */
const hangMs = 500;

/**
 * A bounded pool of connections to one PostgreSQL server. While connections hang, it opens others instead, up to as many again.
 */
export class PostgresPool {
  readonly #driver: DriverPool;
  readonly #turns: ConnectionTurns;
  readonly #shared: SharedConnections<PoolClient> | undefined;
  readonly #maxConnections: number;

  static async create(settings: PostgresSettings, options: PoolOptions): Promise<PostgresPool> {
    const driver = await createDriverPool(settings, options, 2 * options.maxConnections);
    return new PostgresPool(driver, settings, options);
  }

  private constructor(
    driver: DriverPool,
    { poolTimeoutMs: maxWaitMs }: PostgresSettings,
    { maxConnections, isShared, nodeOf }: PoolOptions,
  ) {
    this.#driver = driver;
    this.#maxConnections = maxConnections;
    const maxShared = isShared ? Math.floor(maxConnections / 2) : 0;
    const maxOwn = maxConnections - maxShared;
    const breakers = new CircuitBreakers(nodeOf);
    this.#turns = new ConnectionTurns({ max: maxOwn, maxHanging: maxOwn, maxWaitMs }, breakers);
    if (maxShared === 0) return;
    const turns = new ConnectionTurns({ max: maxShared * maxCallers, maxHanging: maxShared, maxWaitMs }, breakers);
    const source = {
      acquire: () => this.#connect(),
      release: (client: PoolClient, isUsable: boolean) => this.#giveBack(client, isUsable ? "usable" : "waiting"),
      abandon: (client: PoolClient) => {
        client.connection.stream.destroy();
        this.#giveBack(client, "waiting");
      },
    };
    this.#shared = new SharedConnections(source, turns, maxShared);
  }

  /**
   * Runs a short query on a connection that others use at the same time, if this pool shares connections.
   *
   * @param work calls `retire` if nobody can use the connection again
   * @returns undefined if it shares none, or a promise of `unanswered` if the query needs a connection of its own
   * @throws AppError `unavailable` if no connection has room in time
   */
  share<Result>(work: SharedWork<PoolClient, Result>): Promise<Result | typeof unanswered> | undefined {
    return this.#shared?.use(work);
  }

  /** @throws AppError `unavailable` if no connection is free in time */
  async acquire(accountId = whoseTurn.getStore() ?? noAccount): Promise<HeldConnection> {
    const turn = await this.#turns.begin(accountId);
    const timer = setTimeout(() => this.#turns.hang(turn), hangMs);
    try {
      const held = { client: await this.#connect(), turn, timer, isCanceled: false };
      turn.cancel = () => this.#cancel(held);
      return held;
    } catch (error) {
      clearTimeout(timer);
      this.#turns.end(turn, false);
      throw error;
    }
  }

  release({ client, turn, timer, isCanceled }: HeldConnection, state: ConnectionState): void {
    clearTimeout(timer);
    const end = () => this.#turns.end(turn, state === "usable");
    this.#giveBack(client, isCanceled && state === "usable" ? "unusable" : state, end);
  }

  load(name: PoolLoad["name"]): PoolLoad {
    const { totalCount, idleCount, waitingCount } = this.#driver.pool;
    return {
      name,
      max: this.#maxConnections,
      used: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount + this.#turns.waiting + (this.#shared?.waiting ?? 0),
    };
  }

  async close(): Promise<void> {
    const { pool, sockets } = this.#driver;
    if (!pool.ending) await pool.end();
    // The driver leaves a connection open if the server refused to authenticate it. The process would wait a minute for its
    // end.
    for (const socket of sockets) socket.destroy();
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#driver.pool.connect();
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  #cancel(held: HeldConnection): void {
    held.isCanceled = true;
    void cancelQuery(held.client, this.#driver.createConnection);
  }

  /** The server ends its query first, so that connections of the server without a client do not become more and more. */
  #giveBack(client: PoolClient, state: ConnectionState, then: () => void = () => undefined): void {
    if (state === "waiting") {
      void cancelQuery(client, this.#driver.createConnection).then(() => {
        client.connection.stream.destroy();
        client.release(true);
        then();
      });
    } else {
      client.release(state === "unusable");
      then();
    }
  }
}
