import { databaseBusy } from "@siteward/service";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import type { ConnectionTurns } from "./connection-turns.ts";
import { overtaken, SharedConnection, type SharedWork, type unanswered } from "./shared-connection.ts";

/** Where shared connections come from. */
interface ConnectionSource<Client> {
  acquire(): Promise<Client>;
  /** @param isUsable whether the connection can be used again */
  release(client: Client, isUsable: boolean): void;
  /** Closes a connection that hangs at once, so that its queries fail. */
  abandon(client: Client): void;
}

/** With more callers, the next connection is opened, so that a slow query delays few others. */
const callersBeforeNext = 8;
/** How many callers a connection has at most. */
export const maxCallers = 64;
/** A connection under constant load goes back to its source after this time, which may then replace it. */
const maxAgeMs = 60_000;
/** A connection that has not answered in two of these hangs. */
const watchIntervalMs = 125;
/** How often a query is sent that others keep from being answered. */
const maxAttempts = 8;

/**
 * Lets several callers use one connection at the same time. The driver sends their queries without waiting for earlier
 * answers, and the server answers them in order. Opens only as many connections as the load needs, and releases each one when
 * it has no callers.
 *
 * If an answer does not come, those behind it would not come either. So the connection is closed, and their queries are sent again
 * on another one, which is safe because they only read.
 */
export class SharedConnections<Client> {
  readonly #source: ConnectionSource<Client>;
  readonly #turns: ConnectionTurns;
  readonly #max: number;
  /** Connections for new callers. */
  readonly #open = new Set<SharedConnection<Client>>();
  readonly #unreleased = new Set<SharedConnection<Client>>();
  #watch: NodeJS.Timeout | undefined;

  /**
   * @param turns has one for each caller of each connection
   * @param max how many connections are shared
   */
  constructor(source: ConnectionSource<Client>, turns: ConnectionTurns, max: number) {
    this.#source = source;
    this.#turns = turns;
    this.#max = max;
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Runs `work`, which only reads, on a connection that others may use at the same time. It runs again if another query keeps it
   * from being answered.
   *
   * @returns `unanswered` if it keeps others from being answered, and so needs a connection of its own
   * @throws AppError `unavailable` if all connections had too many callers for too long, or too many of them hang
   */
  async use<Result>(work: SharedWork<Client, Result>): Promise<Result | typeof unanswered> {
    const accountId = whoseTurn.getStore() ?? noAccount;
    for (let count = 1; count <= maxAttempts; count += 1) {
      const turn = this.#turns.beginNow(accountId) ?? (await this.#turns.begin(accountId));
      const connection = this.#choose();
      try {
        const result = await connection.run(turn, work);
        if (result !== overtaken) return result;
      } finally {
        if (!connection.isUsable) this.#open.delete(connection);
        // The next query often comes in the same turn of the event loop. Then the connection need not be opened again.
        if (connection.callerCount === 0) setImmediate(() => this.#releaseIfUnused(connection));
      }
    }
    throw databaseBusy(new Error(`The database answered none of ${maxAttempts} attempts to send a query.`));
  }

  /** Chooses the first connection with few callers, so that the later ones are released when the load falls. */
  #choose(): SharedConnection<Client> {
    let least: SharedConnection<Client> | undefined;
    for (const connection of this.#open) {
      // Its callers finish their work on it.
      if (performance.now() - connection.openedAtMs > maxAgeMs) this.#open.delete(connection);
      else if (connection.callerCount < callersBeforeNext) return connection;
      else if (least === undefined || connection.callerCount < least.callerCount) least = connection;
    }
    return least === undefined || this.#open.size < this.#max ? this.#openNext() : least;
  }

  #openNext(): SharedConnection<Client> {
    const connection = new SharedConnection(this.#source.acquire(), this.#turns);
    this.#open.add(connection);
    this.#unreleased.add(connection);
    // The next caller tries again.
    connection.client.catch(() => this.#open.delete(connection));
    this.#watch ??= this.#watchNext();
    return connection;
  }

  /** Answers that arrived while the event loop was blocked are read first, between the timer and the check. */
  #watchNext(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#leaveHanging()), watchIntervalMs).unref();
  }

  #leaveHanging(): void {
    for (const connection of this.#unreleased) if (connection.hangs()) this.#abandon(connection);
    this.#watch = this.#unreleased.size === 0 ? undefined : this.#watchNext();
  }

  #abandon(connection: SharedConnection<Client>): void {
    connection.abandon();
    this.#open.delete(connection);
    this.#unreleased.delete(connection);
    void connection.client.then((client) => this.#source.abandon(client));
  }

  #releaseIfUnused(connection: SharedConnection<Client>): void {
    if (connection.callerCount > 0 || !this.#unreleased.delete(connection)) return;
    this.#open.delete(connection);
    connection.client.then(
      (client) => this.#source.release(client, connection.isUsable),
      // Its callers were told.
      () => undefined,
    );
  }
}
