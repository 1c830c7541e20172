import { ConnectionSemaphore } from "./connection-semaphore.ts";

/** Where shared connections come from. */
interface ConnectionSource<Client> {
  acquire(): Promise<Client>;
  /** @param isUsable whether the connection can be used again */
  release(client: Client, isUsable: boolean): void;
}

interface SharingLimits {
  /** How many connections are shared. */
  readonly max: number;
  /** How long a caller waits while all connections have as many users as they may have. */
  readonly maxWaitMs: number;
}

/** With more users, the next connection is opened, so that a slow query delays few others. */
const usersBeforeNext = 8;
/** All callers past this number wait. */
const maxUsers = 64;
/** A connection under constant load goes back to its source after this time, which may then replace it. */
const maxAgeMs = 60_000;

interface SharedConnection<Client> {
  readonly client: Promise<Client>;
  readonly openedAtMs: number;
  users: number;
  isUsable: boolean;
  isReleased: boolean;
}

/**
 * Lets several callers use one connection at the same time. The driver sends their queries without waiting for earlier
 * answers, and the server answers them in order. Opens only as many connections as the load needs, and releases each one when
 * it has no users.
 */
export class SharedConnections<Client> {
  readonly #source: ConnectionSource<Client>;
  readonly #max: number;
  readonly #places: ConnectionSemaphore;
  readonly #open = new Set<SharedConnection<Client>>();

  constructor(source: ConnectionSource<Client>, { max, maxWaitMs }: SharingLimits) {
    this.#source = source;
    this.#max = max;
    this.#places = new ConnectionSemaphore({ max: max * maxUsers, maxWaitMs });
  }

  /**
   * Runs `work` on a connection that others may use at the same time. `work` calls `retire` if nobody can use the connection
   * again.
   *
   * @throws StorageError `unavailable` if all connections had too many users for too long
   */
  async use<Result>(work: (client: Client, retire: () => void) => Promise<Result>): Promise<Result> {
    await this.#places.acquire();
    const connection = this.#choose();
    connection.users += 1;
    try {
      return await work(await connection.client, () => {
        connection.isUsable = false;
        this.#open.delete(connection);
      });
    } finally {
      connection.users -= 1;
      // The next query often comes in the same turn of the event loop. Then the connection need not be opened again.
      if (connection.users === 0) setImmediate(() => this.#releaseIfUnused(connection));
      this.#places.release();
    }
  }

  /** Chooses the first connection with few users, so that the later ones are released when the load falls. */
  #choose(): SharedConnection<Client> {
    let least: SharedConnection<Client> | undefined;
    for (const connection of this.#open) {
      // Its users finish their work on it.
      if (performance.now() - connection.openedAtMs > maxAgeMs) this.#open.delete(connection);
      else if (connection.users < usersBeforeNext) return connection;
      else if (least === undefined || connection.users < least.users) least = connection;
    }
    return least === undefined || this.#open.size < this.#max ? this.#openNext() : least;
  }

  #openNext(): SharedConnection<Client> {
    const client = this.#source.acquire();
    const connection = { client, openedAtMs: performance.now(), users: 0, isUsable: true, isReleased: false };
    this.#open.add(connection);
    // The next caller tries again.
    client.catch(() => this.#open.delete(connection));
    return connection;
  }

  #releaseIfUnused(connection: SharedConnection<Client>): void {
    if (connection.users > 0 || connection.isReleased) return;
    connection.isReleased = true;
    this.#open.delete(connection);
    connection.client.then(
      (client) => this.#source.release(client, connection.isUsable),
      // Its users were told.
      () => undefined,
    );
  }
}
