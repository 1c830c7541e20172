import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { runsAtCommit } from "../connection.ts";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import { GroupCommit, type GroupLimits } from "./group-commit.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";
import { SqliteOuterTransaction } from "./sqlite-outer-transaction.ts";
import { WriteLock } from "./write-lock.ts";

/** How long a transaction waits for its turn and for other processes. */
const maxWaitMs = 5_000;

export const groupLimits: GroupLimits = { maxSize: 128, maxMs: 10, maxWaiting: 2_000, maxWaitingPerKey: 2_000 };

/** How the driver opens its connection, and where it runs. */
interface WriteDriverOptions {
  readonly open: () => DatabaseSync;
  /** See `DialectOptions`. */
  readonly hasOwnThread: boolean;
  /** `groupLimits` by default. */
  readonly limits?: GroupLimits;
}

/**
 * A Kysely driver for the connection of `node:sqlite` that writes. Transactions that wait are committed as one group, which
 * their callers do not notice. It opens the connection when it is first used.
 */
export class SqliteWriteDriver implements Driver {
  readonly #options: WriteDriverOptions;
  #opened: OpenedConnection | undefined;

  constructor(options: WriteDriverOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    try {
      this.#opened ??= openConnection(this.#options);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  async acquireConnection(): Promise<GroupedTransaction> {
    const { group, connection } = this.#connected();
    const accountId = whoseTurn.getStore() ?? noAccount;
    const transaction = new GroupedTransaction(connection, accountId, performance.now() + maxWaitMs);
    await group.enter(accountId);
    return transaction;
  }

  async beginTransaction(transaction: GroupedTransaction): Promise<void> {
    await this.#connected().group.begin(transaction.deadlineMs);
  }

  async commitTransaction(transaction: GroupedTransaction): Promise<void> {
    const committed = this.#endTransaction(transaction);
    transaction.hasLeft = true;
    await committed;
  }

  #endTransaction(transaction: GroupedTransaction): Promise<void> {
    try {
      return this.#connected().group.commit(transaction.accountId, transaction.lastStatements);
    } catch (error) {
      transaction.failure = error;
      throw error;
    }
  }

  async rollbackTransaction(transaction: GroupedTransaction): Promise<void> {
    // A commit that failed has undone the transaction.
    if (transaction.hasLeft) return;
    transaction.hasLeft = true;
    await this.#connected().group.rollback(transaction.failure);
  }

  async releaseConnection(transaction: GroupedTransaction): Promise<void> {
    if (!transaction.hasLeft) this.#connected().group.leave();
  }

  /**
   * Moves the write-ahead log into the database and empties it, if no other connection prevents that.
   *
   * @param maxWaitMs how long SQLite waits for other connections, which blocks the thread
   * @returns whether the write-ahead log is empty
   */
  async checkpoint(maxWaitMs: number): Promise<boolean> {
    if (this.#opened === undefined) return true;
    const { database, group } = this.#opened;
    await group.enterAlone();
    try {
      database.exec(`pragma busy_timeout = ${maxWaitMs}`);
      return database.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] === 0;
    } finally {
      if (database.isOpen) database.exec("pragma busy_timeout = 0");
      group.leave();
    }
  }

  async destroy(): Promise<void> {
    if (this.#opened === undefined) return;
    const { database, group } = this.#opened;
    await group.enterAlone();
    if (database.isOpen) database.close();
    group.leave();
  }

  #connected(): OpenedConnection {
    if (this.#opened === undefined) throw new Error("The connection is not open.");
    return this.#opened;
  }
}

interface OpenedConnection {
  readonly database: DatabaseSync;
  readonly connection: SqliteConnection;
  readonly group: GroupCommit;
}

function openConnection({ open, hasOwnThread, limits = groupLimits }: WriteDriverOptions): OpenedConnection {
  const database = open();
  const connection = new SqliteConnection(database);
  const lock = new WriteLock(connection, { hasOwnThread });
  return {
    database,
    connection,
    group: new GroupCommit(new SqliteOuterTransaction(database, connection, lock), limits),
  };
}

/** One transaction of a group. */
class GroupedTransaction implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly accountId: number;
  readonly deadlineMs: number;
  readonly lastStatements: CompiledQuery[] = [];
  /** Whether it no longer uses the connection. */
  hasLeft = false;
  /** The error of the last statement that failed. */
  failure: unknown;

  constructor(connection: SqliteConnection, accountId: number, deadlineMs: number) {
    this.#connection = connection;
    this.accountId = accountId;
    this.deadlineMs = deadlineMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (runsAtCommit(query)) {
      this.lastStatements.push(query);
      return { rows: [] };
    }
    try {
      // The cast is safe: Kysely calls this with queries whose rows are of this type, but its interface does not say so.
      return this.#connection.execute(query as CompiledQuery<Row>);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    return this.#connection.streamQuery(query);
  }
}
