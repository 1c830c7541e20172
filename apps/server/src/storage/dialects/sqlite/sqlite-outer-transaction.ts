import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import type { OuterTransaction } from "./group-commit.ts";
import { settleFailedCommit } from "./settle-failed-commit.ts";
import { shortenLog } from "./shorten-log.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { WriteLock } from "./write-lock.ts";

/** A transaction of SQLite that contains others as savepoints. */
export class SqliteOuterTransaction implements OuterTransaction {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #lock: WriteLock;

  constructor(database: DatabaseSync, connection: SqliteConnection, lock: WriteLock) {
    this.#database = database;
    this.#connection = connection;
    this.#lock = lock;
  }

  get isOpen(): boolean {
    return this.#database.isTransaction;
  }

  async begin(deadlineMs: number): Promise<void> {
    // A rollback that failed has left it open.
    if (this.isOpen) this.#connection.run("rollback");
    try {
      await this.#lock.acquire(deadlineMs);
    } catch (error) {
      // An open transaction would keep the lock from all processes.
      if (this.isOpen) this.#connection.run("rollback");
      throw error;
    }
  }

  savepoint(): void {
    this.#connection.run("savepoint member");
  }

  releaseSavepoint(): void {
    this.#connection.run("release member");
  }

  rollbackToSavepoint(): void {
    this.#connection.run("rollback to member");
    this.#connection.run("release member");
  }

  rollback(): void {
    if (this.isOpen) this.#connection.run("rollback");
    this.#lock.noteRelease();
  }

  async commit(lastStatements: readonly CompiledQuery[]): Promise<number> {
    try {
      for (const statement of lastStatements) this.#connection.execute(statement);
      const startedMs = performance.now();
      await this.#commit();
      const syncMs = performance.now() - startedMs;
      shortenLog(this.#connection);
      return syncMs;
    } finally {
      // A statement that failed leaves the transaction open.
      if (this.isOpen) this.#connection.run("rollback");
      this.#lock.noteRelease();
    }
  }

  async #commit(): Promise<void> {
    try {
      this.#connection.runUntranslated("commit");
    } catch (error) {
      throw await settleFailedCommit(this.#database, error);
    }
  }
}
