import { setTimeout } from "node:timers/promises";
import { ownQuery } from "../engine/connection.ts";
import { sql } from "../engine/statement.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { isSqliteBusy } from "./sqlite-error.ts";

/** Other processes hold the lock for the time of one batch, which is a few milliseconds. */
const pollMs = 0.25;
/** How long a transaction waits for other processes. */
const maxWaitMs = 5_000;
/** Long enough for another process to poll. */
const yieldMs = 0.6;
/** How long another process counts as a competitor after its last change. */
const competitionMs = 500;

/**
 * The lock that lets one connection of all processes write. SQLite gives it to whoever tries first, so which of two
 * processes wrote next was chance: two workers created a third fewer websites than one, and their p99 was five times as long. Here a
 * process waits for a moment after each of its batches if another process wrote recently, and those that wait try often.
 */
export class WriteLock {
  readonly #connection: SqliteConnection;
  readonly #hasOwnThread: boolean;
  #dataVersion: number | undefined;
  #competedMs = Number.NEGATIVE_INFINITY;
  #releasedMs = Number.NEGATIVE_INFINITY;

  /** @param hasOwnThread whether waits may block the thread, which is more exact than a timer */
  constructor(connection: SqliteConnection, hasOwnThread: boolean) {
    this.#connection = connection;
    this.#hasOwnThread = hasOwnThread;
  }

  /** Begins a transaction that has the lock. @throws AppError `unavailable` if other processes have it for 5 seconds */
  async acquire(): Promise<void> {
    const startMs = performance.now();
    const yieldsMs = this.#releasedMs + yieldMs - startMs;
    if (yieldsMs > 0 && startMs - this.#competedMs < competitionMs) await this.#pause(yieldsMs);
    while (!this.#begin(startMs + maxWaitMs)) await this.#pause(pollMs);
    // The version changes when another connection has changed the database.
    const [row] = this.#connection.execute(readDataVersion);
    if (this.#dataVersion !== undefined && this.#dataVersion !== row?.data_version)
      this.#competedMs = performance.now();
    this.#dataVersion = row?.data_version;
  }

  /** Call this when the transaction has ended. */
  noteRelease(): void {
    this.#releasedMs = performance.now();
  }

  #begin(deadlineMs: number): boolean {
    try {
      this.#connection.run("begin immediate");
      return true;
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > deadlineMs) throw error;
      return false;
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#hasOwnThread) blockThread(ms);
    else await setTimeout(1 + Math.random());
  }
}

const readDataVersion = ownQuery<{ readonly data_version: number }>(sql`pragma data_version`);
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function blockThread(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms);
}
