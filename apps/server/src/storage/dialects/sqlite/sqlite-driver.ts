import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import { isAnnotated } from "../connection.ts";
import { ConnectionQueue } from "./connection-queue.ts";
import { settleFailedCommit } from "./settle-failed-commit.ts";
import { isSqliteDamage, translateSqliteError } from "./sqlite-error.ts";

/** Drives one connection of `node:sqlite`, for one user at a time. */
export class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #queue = new ConnectionQueue();
  #isReadOnly = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  /** Answers one query outside of any transaction: at once if the connection is free. */
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

  /** A transaction that may write takes the lock at once: one that takes it later can fail half-way. */
  async beginTransaction(_connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    this.#isReadOnly = accessMode === "read only";
    this.#connection.run(this.#isReadOnly ? "begin" : "begin immediate");
  }

  async commitTransaction(): Promise<void> {
    if (this.#isReadOnly) return this.#connection.run("commit");
    try {
      this.#connection.runUntranslated("commit");
    } catch (error) {
      throw await settleFailedCommit(this.#database, error);
    }
  }

  /** SQLite has rolled back by itself after some failures, such as a full disk. */
  async rollbackTransaction(): Promise<void> {
    if (this.#database.isTransaction) this.#connection.run("rollback");
  }

  /** Makes the next query read from the file. */
  async dropCachedPages(): Promise<void> {
    await this.#queue.acquire();
    try {
      this.#connection.dropCachedPages();
    } finally {
      this.#queue.release();
    }
  }

  /**
   * @param maxWaitMs how long SQLite waits for other connections, which blocks the thread
   * @returns whether nothing is left in the write-ahead log
   */
  async checkpoint(maxWaitMs = 0): Promise<boolean> {
    await this.#queue.acquire();
    try {
      this.#database.exec(`pragma busy_timeout = ${maxWaitMs}`);
      return this.#database.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] === 0;
    } finally {
      if (this.#database.isOpen) this.#database.exec("pragma busy_timeout = 0");
      this.#queue.release();
    }
  }

  async destroy(): Promise<void> {
    await this.#queue.acquire();
    if (this.#database.isOpen) this.#database.close();
    this.#queue.release();
  }
}

class SqliteConnection implements DatabaseConnection {
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

  /** SQLite drops its pages when it compiles this command, so the command is not kept prepared. */
  dropCachedPages(): void {
    this.#database.exec("pragma shrink_memory");
  }

  /** @throws the error of SQLite as it is */
  runUntranslated(command: string): void {
    this.#prepare(command).statement.run();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Kysely does not say that the query has these rows.
    return this.execute(query as CompiledQuery<Row>);
  }

  execute<Row>(query: CompiledQuery<Row>): QueryResult<Row> {
    try {
      const { statement, columns } = this.#prepare(query.sql);
      if (columns.length > 0) return { rows: readRows(statement, columns, query) };
      return { rows: [], numAffectedRows: BigInt(statement.run(...toInput(query.parameters)).changes) };
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Uses a statement of its own, since other queries run while it is open. */
  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    const rows = this.#database.prepare(sql).iterate(...toInput(parameters));
    // The caller's query says what its rows contain.
    for (const row of rows) yield { rows: [row as Row] };
  }

  /** Damaged pages must not stay in memory: the operator may restore the file while the program runs. */
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

/** More than the program has; lists of ids have up to a hundred lengths. */
const maxStatements = 500;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** The names of the columns that it returns; none if it returns no rows. */
  readonly columns: readonly string[];
}

function readRows<Row>(statement: StatementSync, columns: readonly string[], query: CompiledQuery<Row>): Row[] {
  // With `setReturnArrays` every row is an array, which the types of Node do not know.
  const rows = statement.all(...toInput(query.parameters)) as unknown as SQLOutputValue[][];
  return isAnnotated(query) && query.readRows !== undefined
    ? query.readRows(rows)
    : rows.map((values) => toObject<Row>(columns, values));
}

/** Takes half the time that `node:sqlite` takes to create the object. */
function toObject<Row>(columns: readonly string[], values: readonly SQLOutputValue[]): Row {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (let index = 0; index < columns.length; index += 1) {
    row[columns[index] ?? ""] = values[index];
  }
  // The caller's query says what its rows contain.
  return row as Row;
}

/** The columns of the schema contain only what SQLite accepts, and it refuses anything else itself. */
function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
