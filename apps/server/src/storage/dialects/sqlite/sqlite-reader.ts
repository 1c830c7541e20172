import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import type { HeldConnection, ReadDriver } from "../dialect.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Reads a file. A query runs at once. Those of a snapshot run on another connection, one snapshot at a time, so that no query waits
 * for them.
 */
export class SqliteReader implements ReadDriver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #other: DatabaseSync;
  readonly #held: HeldConnection;
  #last: Promise<unknown> = Promise.resolve();

  /** @param other the connection of snapshots. By default, it is the same. */
  constructor(database: DatabaseSync, other: DatabaseSync = database) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
    this.#other = other;
    this.#held = hold(other);
  }

  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return this.#connection.execute(query);
  }

  hold<Result>(work: (connection: HeldConnection) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => work(this.#held));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Drops the page cache, so that the next query reads from the file. */
  dropCachedPages(): void {
    this.#connection.dropCachedPages();
  }

  async close(): Promise<void> {
    await this.#last;
    for (const database of [this.#database, this.#other]) if (database.isOpen) database.close();
  }
}

function hold(database: DatabaseSync): HeldConnection {
  const connection = new SqliteConnection(database);
  return {
    execute: async (query) => connection.execute(query),
    async snapshot(work) {
      connection.run("begin");
      try {
        return await work();
      } finally {
        if (database.isTransaction) connection.run("commit");
      }
    },
  };
}
