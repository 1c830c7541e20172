import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import { isAnnotated } from "../connection.ts";
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
      this.runUntranslated(command);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** SQLite drops its cached pages when it compiles this command, so the command is compiled each time. */
  dropCachedPages(): void {
    this.#database.exec("pragma shrink_memory");
  }

  /** @throws the original error of SQLite */
  runUntranslated(command: string): void {
    this.#prepare(command).statement.run();
  }

  execute<Row>(query: CompiledQuery<Row>): Row[] {
    try {
      const { statement, columns } = this.#prepare(query.sql);
      if (columns.length > 0) return readRows(statement, columns, query);
      statement.run(...toInput(query.parameters));
      return [];
    } catch (error) {
      throw this.#translate(error);
    }
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

/** More statements than the program has. Queries with a list of ids have one statement for each of up to a hundred lengths. */
const maxStatements = 500;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** The names of the columns that it returns. Empty if it returns no rows. */
  readonly columns: readonly string[];
}

function readRows<Row>(statement: StatementSync, columns: readonly string[], query: CompiledQuery<Row>): Row[] {
  // The cast is safe: with `setReturnArrays` every row is an array, but the types of Node.js do not say so.
  const rows = statement.all(...toInput(query.parameters)) as unknown as SQLOutputValue[][];
  return isAnnotated(query) && query.readRows !== undefined
    ? query.readRows(rows)
    : rows.map((values) => toObject<Row>(columns, values));
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

function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  // The cast is safe: columns of the schema have only types that SQLite accepts, and it refuses all other values itself.
  return parameters as SQLInputValue[];
}
