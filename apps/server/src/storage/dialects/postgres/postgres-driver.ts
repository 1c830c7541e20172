import { type AppError, databaseBusy, outcomeUnknown } from "@siteward/service";
import type { CompiledQuery } from "kysely";
import type { PoolClient, QueryConfig } from "pg";
import type { PoolLoad, StorageLoad } from "../../interface/storage-load.ts";
import { type Connection, isAnnotated } from "../connection.ts";
import type { HeldConnection as HeldReader, ReadDriver } from "../dialect.ts";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import { ChangeGroups } from "./change-groups.ts";
import { DriverQuery, isPrepared } from "./driver-query.ts";
import type { FailedQuery } from "./pooler-check.ts";
import { type ConnectionState, stateAfter, translateCommitError, translatePostgresError } from "./postgres-error.ts";
import type { HeldConnection, PostgresPool } from "./postgres-pool.ts";
import type { PostgresSettings } from "./postgres-url.ts";
import { unanswered } from "./shared-connection.ts";
import { StatementFailure, StatementGroup } from "./statement-group.ts";

/** Runs queries and changes on the connections of a pool. */
export class PostgresDriver implements ReadDriver {
  readonly #pool: PostgresPool;
  readonly #preparesStatements: boolean;
  readonly #onError: (error: unknown, query: FailedQuery) => void;
  readonly #groups: ChangeGroups;

  /** @param onError called with each error of the driver */
  constructor(
    pool: PostgresPool,
    { preparesStatements, poolTimeoutMs }: Pick<PostgresSettings, "preparesStatements" | "poolTimeoutMs">,
    onError: (error: unknown, query: FailedQuery) => void,
  ) {
    this.#pool = pool;
    this.#preparesStatements = preparesStatements;
    this.#onError = onError;
    this.#groups = new ChangeGroups((accountId, take) => this.#writeTogether(accountId, take), poolTimeoutMs);
  }

  load(name: PoolLoad["name"]): PoolLoad {
    return this.#pool.load(name);
  }

  /** What its changes wait for. */
  writeLoad(): Pick<StorageLoad, "waitingWrites" | "groups"> {
    return this.#groups.load();
  }

  /**
   * Runs one query outside of a transaction. A prepared query is short, so it may share a connection with others. It then takes
   * half of the processor time, and does not wait for a connection while others wait for the network.
   */
  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    if (this.#preparesStatements && isPrepared(query)) {
      const rows = await this.#pool.share((client, retire) => this.#readShared(client, query, retire));
      if (rows !== undefined && rows !== unanswered) return rows;
    }
    return this.#hold((connection) => connection.execute(query));
  }

  hold<Result>(work: (connection: HeldReader) => Promise<Result>): Promise<Result> {
    return this.#hold(work);
  }

  async #readShared<Row>(client: PoolClient, query: CompiledQuery<Row>, retire: () => void): Promise<Row[]> {
    const connection = new PostgresConnection({ client }, true, this.#onError);
    try {
      return await connection.execute(query);
    } finally {
      if (connection.state !== "usable") retire();
    }
  }

  writeRows<Row>(statement: CompiledQuery<Row>): Promise<Row[]> {
    // The cast is safe: the rows of a statement are of its type.
    return this.#groups.write(whoseTurn.getStore() ?? noAccount, statement) as Promise<Row[]>;
  }

  /** Runs the statements that `take` returns once there is a connection, as one transaction. */
  async #writeTogether(accountId: number, take: () => readonly CompiledQuery[]): Promise<unknown[][]> {
    return this.#hold(async (connection) => {
      const rows = await connection.executeTogether(take());
      requireNotCanceled(connection.held, outcomeUnknown);
      return rows;
    }, accountId);
  }

  /** Runs `work` in a transaction that writes. In read committed, these wait for each other at rows that they change, and do not fail. */
  transact<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#hold((connection) =>
      connection.inTransaction("begin isolation level read committed", async () => {
        const result = await work(connection);
        requireNotCanceled(connection.held, databaseBusy);
        await connection.commit();
        requireNotCanceled(connection.held, outcomeUnknown);
        return result;
      }),
    );
  }

  async #hold<Result>(
    work: (connection: PostgresConnection<HeldConnection>) => Promise<Result>,
    accountId?: number,
  ): Promise<Result> {
    const held = await this.#pool.acquire(accountId);
    const connection = new PostgresConnection(held, this.#preparesStatements, this.#onError);
    try {
      return await work(connection);
    } finally {
      this.#pool.release(held, connection.state);
    }
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

/**
 * A commit that is canceled while it waits for a synchronous replica succeeds, with a warning, and the replica may not have it. So
 * nothing is committed once its cancellation is on its way, and no success counts that one may have ended.
 */
function requireNotCanceled({ isCanceled }: HeldConnection, toError: (cause: unknown) => AppError): void {
  if (isCanceled) throw toError(new Error("The change was canceled, because it kept other accounts waiting."));
}

class PostgresConnection<Held extends Pick<HeldConnection, "client"> = Pick<HeldConnection, "client">>
  implements Connection
{
  readonly held: Held;
  readonly #client: PoolClient;
  readonly #preparesStatements: boolean;
  readonly #onError: (error: unknown, query: FailedQuery) => void;
  #state: ConnectionState = "usable";

  constructor(held: Held, preparesStatements: boolean, onError: (error: unknown, query: FailedQuery) => void) {
    this.held = held;
    this.#client = held.client;
    this.#preparesStatements = preparesStatements;
    this.#onError = onError;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  async inTransaction<Result>(begin: string, work: () => Promise<Result>): Promise<Result> {
    await this.#execute({ text: begin });
    try {
      return await work();
    } catch (error) {
      await this.#rollback();
      throw error;
    }
  }

  /** It is never committed: it has stored nothing. */
  snapshot<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.inTransaction("begin isolation level repeatable read read only", async () => {
      const result = await read();
      await this.#rollback();
      return result;
    });
  }

  /**
   * Runs statements as one transaction. If the connection is lost, the server may have committed it.
   *
   * @throws StatementFailure
   */
  async executeTogether(statements: readonly CompiledQuery[]): Promise<unknown[][]> {
    const group = new StatementGroup(statements.map((query) => new DriverQuery(query, this.#preparesStatements)));
    try {
      return await group.run(this.#client);
    } catch (error) {
      if (!(error instanceof StatementFailure)) throw error;
      this.#noteFailure(error.cause, group.name);
      if (group.hasUnparsed && this.#state === "usable") this.#state = "unusable";
      throw error;
    }
  }

  async execute<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    const { rows } = await this.#execute(new DriverQuery(query, this.#preparesStatements));
    if (isAnnotated(query) && query.readRows !== undefined) return query.readRows(rows);
    // The cast is safe as far as the type of the caller's query is right.
    return rows as Row[];
  }

  /** If the connection is lost after the commit was sent, the server may have committed. */
  async commit(): Promise<void> {
    const { command } = await this.#client.query("commit").catch((error: unknown) => {
      this.#noteFailure(error);
      throw translateCommitError(error);
    });
    if (command !== "COMMIT") throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
  }

  /** The server rolls back by itself if the connection is lost. */
  async #rollback(): Promise<void> {
    if (this.#state !== "usable") return;
    await this.#client.query("rollback").catch(() => {
      this.#state = "waiting";
    });
  }

  #noteFailure(error: unknown, statement?: string): void {
    this.#onError(error, { client: this.#client, statement });
    const state = stateAfter(error);
    if (state !== "usable") this.#state = state;
  }

  async #execute(config: QueryConfig) {
    try {
      return await this.#client.query<unknown[]>(config);
    } catch (error) {
      this.#noteFailure(error, config.name);
      throw translatePostgresError(error);
    }
  }
}
