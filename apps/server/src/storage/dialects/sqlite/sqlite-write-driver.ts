import type { DatabaseSync } from "node:sqlite";
import type { Driver } from "kysely";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import { GroupCommit, type GroupLimits } from "./group-commit.ts";
import { GroupedTransaction } from "./grouped-transaction.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";
import { SqliteOuterTransaction } from "./sqlite-outer-transaction.ts";
import { tryWrite } from "./try-write.ts";
import { WriteAccess } from "./write-access.ts";
import { WriteLock } from "./write-lock.ts";

/** How long a transaction waits for its turn and for other processes. */
const maxWaitMs = 5_000;

export const groupLimits: GroupLimits = { maxSize: 128, maxMs: 10, maxWaiting: 2_000, maxWaitingPerKey: 2_000 };

/** How the driver opens its connection, and where it runs. */
interface WriteDriverOptions {
  readonly open: () => DatabaseSync;
  /** See `findWriteRefusal`. By default, nothing is refused. */
  readonly findRefusal?: ConstructorParameters<typeof WriteAccess>[0];
  /** See `DialectOptions`. */
  readonly hasOwnThread: boolean;
  /** `groupLimits` by default. */
  readonly limits?: GroupLimits;
}

/**
 * A Kysely driver for the connection of `node:sqlite` that writes. Transactions that wait are committed as one group, which
 * their callers do not notice. It opens the connection when it is first used.
 *
 * A connection that was opened while the file was not writable stays read-only, so it is replaced once the file is writable.
 */
export class SqliteWriteDriver implements Driver {
  readonly #options: WriteDriverOptions;
  #opened: OpenedConnection | undefined;
  readonly #access: WriteAccess;
  /** Resolves once the connections that were replaced are closed. */
  #replaced: Promise<void> = Promise.resolve();

  constructor(options: WriteDriverOptions) {
    this.#options = options;
    this.#access = new WriteAccess(options.findRefusal ?? (() => undefined));
  }

  async init(): Promise<void> {
    this.#connected();
  }

  async acquireConnection(): Promise<GroupedTransaction> {
    if (this.#access.isRefused) this.#replaceConnection();
    const { group, connection } = this.#connected();
    const accountId = whoseTurn.getStore() ?? noAccount;
    const transaction = new GroupedTransaction(group, {
      connection,
      accountId,
      deadlineMs: performance.now() + maxWaitMs,
    });
    await group.enter(accountId);
    return transaction;
  }

  async beginTransaction({ group, deadlineMs }: GroupedTransaction): Promise<void> {
    try {
      await group.begin(deadlineMs);
    } catch (error) {
      this.#access.note(error);
      throw error;
    }
  }

  async commitTransaction(transaction: GroupedTransaction): Promise<void> {
    const committed = this.#endTransaction(transaction);
    transaction.hasLeft = true;
    try {
      await committed;
    } catch (error) {
      this.#access.note(error);
      throw error;
    }
  }

  #endTransaction(transaction: GroupedTransaction): Promise<void> {
    try {
      return transaction.group.commit(transaction.accountId, transaction.lastStatements);
    } catch (error) {
      transaction.failure = error;
      throw error;
    }
  }

  async rollbackTransaction(transaction: GroupedTransaction): Promise<void> {
    // A commit that failed has undone the transaction.
    if (transaction.hasLeft) return;
    transaction.hasLeft = true;
    this.#access.note(transaction.failure);
    await transaction.group.rollback(transaction.failure);
  }

  async releaseConnection({ group, hasLeft }: GroupedTransaction): Promise<void> {
    if (!hasLeft) group.leave();
  }

  /** @throws AppError `database_read_only` if the next change would be refused. It changes nothing. */
  requireWritable(): void {
    if (this.#opened === undefined) this.#access.requireFiles();
    else this.#access.requireOpenFiles();
    if (this.#access.isRefused) this.#replaceConnection();
  }

  /** @throws AppError `database_read_only` if the files still may not be written */
  #replaceConnection(): void {
    this.#access.requirePause();
    this.#access.requireFiles();
    const before = this.#opened;
    this.#opened = this.#openWritable();
    this.#access.noteAccepted();
    if (before !== undefined) this.#replaced = Promise.all([this.#replaced, close(before)]).then(() => undefined);
  }

  #openWritable(): OpenedConnection {
    const opened = openConnection(this.#options);
    try {
      tryWrite(opened.database);
      return opened;
    } catch (error) {
      opened.database.close();
      this.#access.note(error);
      throw error;
    }
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
    await this.#replaced;
    if (this.#opened !== undefined) await close(this.#opened);
  }

  #connected(): OpenedConnection {
    this.#opened ??= openConnection(this.#options);
    return this.#opened;
  }
}

interface OpenedConnection {
  readonly database: DatabaseSync;
  readonly connection: SqliteConnection;
  readonly group: GroupCommit;
}

/** Waits for the transactions that were begun. */
async function close({ database, group }: OpenedConnection): Promise<void> {
  await group.enterAlone();
  if (database.isOpen) database.close();
  group.leave();
}

function openConnection({ open, hasOwnThread, limits = groupLimits }: WriteDriverOptions): OpenedConnection {
  const database = openTranslated(open);
  const connection = new SqliteConnection(database);
  const lock = new WriteLock(connection, { hasOwnThread });
  return {
    database,
    connection,
    group: new GroupCommit(new SqliteOuterTransaction(database, connection, lock), limits),
  };
}

function openTranslated(open: () => DatabaseSync): DatabaseSync {
  try {
    return open();
  } catch (error) {
    throw translateSqliteError(error);
  }
}
