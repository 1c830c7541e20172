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
  readonly #openAnother: () => DatabaseSync;
  #other: { readonly database: DatabaseSync; readonly held: HeldConnection } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param openAnother opens the connection of snapshots. By default, it is the same. */
  constructor(database: DatabaseSync, openAnother: () => DatabaseSync = () => database) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
    this.#openAnother = openAnother;
  }

  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return this.#connection.execute(query);
  }

  hold<Result>(work: (connection: HeldConnection) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => work(this.#heldConnection()));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Drops the page cache, so that the next query reads from the file. */
  dropCachedPages(): void {
    this.#connection.dropCachedPages();
  }

  async close(): Promise<void> {
    await this.#last;
    for (const database of [this.#database, this.#other?.database]) if (database?.isOpen === true) database.close();
  }

  #heldConnection(): HeldConnection {
    if (this.#other === undefined) {
      const database = this.#openAnother();
      this.#other = { database, held: hold(database) };
    }
    return this.#other.held;
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
