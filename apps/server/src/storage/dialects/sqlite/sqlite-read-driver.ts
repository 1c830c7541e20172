import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, Driver } from "kysely";
import { SqliteConnection } from "./sqlite-connection.ts";

/** A Kysely driver for a connection of `node:sqlite` that only reads, which one caller at a time can use. */
export class SqliteReadDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #turns = new ConnectionTurns();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  /** Runs one query outside of a transaction, immediately if the connection is free. */
  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    if (!this.#turns.isInUse) return this.#connection.execute(query).rows;
    await this.#turns.acquire();
    try {
      return this.#connection.execute(query).rows;
    } finally {
      this.#turns.release();
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#turns.release();
  }

  async beginTransaction(): Promise<void> {
    this.#connection.run("begin");
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#database.isTransaction) this.#connection.run("rollback");
  }

  /** Drops the page cache, so that the next query reads from the file. */
  async dropCachedPages(): Promise<void> {
    await this.#turns.acquire();
    try {
      this.#connection.dropCachedPages();
    } finally {
      this.#turns.release();
    }
  }

  async destroy(): Promise<void> {
    await this.#turns.acquire();
    if (this.#database.isOpen) this.#database.close();
    this.#turns.release();
  }
}

/**
 * Lets one caller at a time use a connection, in the order of the calls. Kysely's own lock for single connections wakes every
 * waiter at each release. If hundreds wait, that takes as long as the queries.
 */
class ConnectionTurns {
  readonly #waiting: (() => void)[] = [];
  #isInUse = false;

  get isInUse(): boolean {
    return this.#isInUse;
  }

  async acquire(): Promise<void> {
    if (this.#isInUse) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isInUse = true;
  }

  /** Passes the connection directly to the first in the queue, so that no other caller can acquire it first. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isInUse = false;
    else next();
  }
}
