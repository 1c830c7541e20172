import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Connection, ReadDriver, SqlQuery } from "../engine/connection.ts";
import { isSqliteDamage, translateSqliteError } from "./sqlite-error.ts";

/** Runs queries on a connection of `node:sqlite`, and keeps their statements prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run(command: string): void {
    try {
      this.#prepare(command).statement.run();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** SQLite drops its cached pages when it compiles this command, so the command is compiled each time. */
  dropCachedPages(): void {
    this.#database.exec("pragma shrink_memory");
  }

  execute<Row>(query: SqlQuery<Row>): Row[] {
    try {
      const { statement, columns } = this.#prepare(query.sql);
      // The cast is safe: columns of the schema have only types that SQLite accepts, and it refuses all other values
      // itself.
      const parameters = query.parameters as SQLInputValue[];
      if (columns.length === 0) {
        statement.run(...parameters);
        return [];
      }
      // The cast is safe: with `setReturnArrays` every row is an array, but the types of Node.js do not say so.
      const rows = statement.all(...parameters) as unknown as SQLOutputValue[][];
      if (query.readRows !== undefined) return query.readRows(rows);
      return rows.map((values) => toObject<Row>(columns, values));
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Runs `work`, whose queries all see the same state of the database. */
  async snapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    this.run("begin");
    try {
      return await work({ execute: async (query) => this.execute(query) });
    } finally {
      if (this.#database.isTransaction) this.run("commit");
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  /** Drops corrupt pages from memory, because the operator may restore the file while the program runs. */
  #translate(error: unknown): unknown {
    if (isSqliteDamage(error)) this.dropCachedPages();
    return translateSqliteError(error);
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** More statements than the program has, with one for each of up to a hundred lengths of ids. */
const maxStatements = 500;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** The names of the columns that it returns. Empty if it returns no rows. */
  readonly columns: readonly string[];
}

/** Takes half as long as `node:sqlite` takes to create the object. */
function toObject<Row>(columns: readonly string[], values: readonly SQLOutputValue[]): Row {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (let index = 0; index < columns.length; index += 1) {
    row[columns[index] ?? ""] = values[index];
  }
  // The cast is safe as far as the type of the caller's query is right.
  return row as Row;
}

/**
 * Reads a file. A query runs at once. Those of a snapshot run on another connection, one snapshot at a time, so that no
 * query waits for them.
 */
export class SqliteReader implements ReadDriver {
  readonly #connection: SqliteConnection;
  readonly #held: SqliteConnection;
  #last: Promise<unknown> = Promise.resolve();

  /** @param other the connection of snapshots. By default, it is the same. */
  constructor(database: DatabaseSync, other: DatabaseSync = database) {
    this.#connection = new SqliteConnection(database);
    this.#held = new SqliteConnection(other);
  }

  async execute<Row>(query: SqlQuery<Row>): Promise<Row[]> {
    return this.#connection.execute(query);
  }

  snapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#held.snapshot(work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  dropCachedPages(): void {
    this.#connection.dropCachedPages();
  }

  async close(): Promise<void> {
    await this.#last;
    this.#connection.close();
    this.#held.close();
  }
}
