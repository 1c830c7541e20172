import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, Driver } from "kysely";
import { ConnectionQueue } from "./connection-queue.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** A Kysely driver for a connection of `node:sqlite` that only reads, which one caller at a time can use. */
export class SqliteReadDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #queue = new ConnectionQueue();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  /** Runs one query outside of a transaction, immediately if the connection is free. */
  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    if (!this.#queue.isInUse) return this.#connection.execute(query).rows;
    await this.#queue.acquire();
    try {
      return this.#connection.execute(query).rows;
    } finally {
      this.#queue.release();
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#queue.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#queue.release();
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
    await this.#queue.acquire();
    try {
      this.#connection.dropCachedPages();
    } finally {
      this.#queue.release();
    }
  }

  async destroy(): Promise<void> {
    await this.#queue.acquire();
    if (this.#database.isOpen) this.#database.close();
    this.#queue.release();
  }
}
