import type { DatabaseSync } from "node:sqlite";
import { databaseBusy } from "@siteward/service";
import type { Connection, SqlQuery, Transact } from "../engine/connection.ts";
import { commit } from "./sqlite-commit.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { translateSqliteError } from "./sqlite-error.ts";
import { WriteLock } from "./write-lock.ts";
import { isRefusedAccess } from "./write-refusal.ts";

interface WriterOptions {
  /** Opens the connection. @throws AppError `database_read_only` if the file may not be written */
  readonly open: () => DatabaseSync;
  readonly hasOwnThread: boolean;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly connection: SqliteConnection;
  readonly lock: WriteLock;
}

interface Batch {
  /** Run right before the commit. */
  readonly lastStatements: SqlQuery[];
  hasChanges: boolean;
}

/**
 * The connection that writes, for one caller at a time. It is opened when it is first used, and again after the system
 * has refused access to the file: what was opened while the file could not be written stays read-only.
 */
export class SqliteWriter {
  readonly #options: WriterOptions;
  #opened: Opened | undefined;
  #batch: Batch | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** In a batch, what its changes have left so far. */
  readonly execute = async <Row>(query: SqlQuery<Row>): Promise<Row[]> => this.#connected().connection.execute(query);

  readonly transact: Transact = async (work) => {
    const [outcome] = await this.runBatch([() => this.join(work)]);
    if (outcome?.status !== "fulfilled") throw outcome?.reason;
    // The cast is safe: it is the result of `work`.
    return outcome.value as Awaited<ReturnType<typeof work>>;
  };

  /** Runs `work` in a savepoint of the batch that runs. Only a change of that batch calls it. */
  readonly join: Transact = async (work) => {
    const batch = this.#batch;
    if (batch === undefined) throw new Error("No batch runs.");
    const { database, connection } = this.#connected();
    const lastStatements: SqlQuery[] = [];
    const change: Connection = {
      async execute(query) {
        if (query.runsAtCommit !== true) return connection.execute(query);
        lastStatements.push(query);
        return [];
      },
    };
    connection.run("savepoint change");
    try {
      const result = await work(change);
      connection.run("release change");
      // As arguments of one call, 300,000 statements would overflow the stack.
      for (const statement of lastStatements) batch.lastStatements.push(statement);
      batch.hasChanges = true;
      return result;
    } catch (error) {
      if (database.isTransaction) {
        connection.run("rollback to change");
        connection.run("release change");
      }
      throw error;
    }
  };

  /**
   * Runs changes one after the other in one transaction, because a sync of the disk takes as long for many as for one. A change that
   * fails is undone alone. If the commit fails, all fail, also those that had failed already: it may have been for what others changed.
   */
  readonly runBatch = (changes: readonly (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> =>
    this.#inTurn(() => this.#runBatch(changes)).catch((reason: unknown) =>
      changes.map(() => ({ status: "rejected", reason })),
    );

  /**
   * Moves the write-ahead log into the database and empties it, if no other connection prevents that.
   *
   * @param maxWaitMs how long SQLite waits for other connections, which blocks the thread
   * @returns whether the write-ahead log is empty
   */
  checkpoint(maxWaitMs: number): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#opened === undefined) return true;
      const { database } = this.#opened;
      try {
        database.exec(`pragma busy_timeout = ${maxWaitMs}`);
        return database.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] === 0;
      } finally {
        database.exec("pragma busy_timeout = 0");
      }
    });
  }

  /** Waits for what was begun. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isEnded = true;
      this.#close();
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #runBatch(changes: readonly (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
    const failures: unknown[] = [];
    const { database, connection, lock } = this.#connected();
    const batch: Batch = { lastStatements: [], hasChanges: false };
    try {
      await lock.acquire();
      this.#batch = batch;
      const outcomes: PromiseSettledResult<unknown>[] = [];
      for (const change of changes) {
        const [outcome] = await Promise.allSettled([change()]);
        outcomes.push(outcome);
        if (outcome.status === "rejected") failures.push(outcome.reason);
        // SQLite ends it by itself after some failures, such as a full disk.
        if (!database.isTransaction)
          throw failures.at(-1) ?? databaseBusy(new Error("SQLite has ended the transaction."));
      }
      if (batch.hasChanges) commit(database, connection, batch.lastStatements);
      return outcomes;
    } catch (error) {
      failures.push(error);
      throw error;
    } finally {
      this.#batch = undefined;
      // After a failure, and if there is nothing to commit.
      if (database.isTransaction) this.#rollBack(connection);
      lock.noteRelease();
      if (failures.some(isRefusedAccess)) this.#close();
    }
  }

  #rollBack(connection: SqliteConnection): void {
    try {
      connection.run("rollback");
    } catch {
      // An open transaction would keep the lock from all processes.
      this.#close();
    }
  }

  #connected(): Opened {
    if (this.#isEnded) throw new Error("The database is closed.");
    if (this.#opened !== undefined) return this.#opened;
    try {
      const database = this.#options.open();
      const connection = new SqliteConnection(database);
      this.#opened = { database, connection, lock: new WriteLock(connection, this.#options.hasOwnThread) };
      return this.#opened;
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  #close(): void {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }
}
