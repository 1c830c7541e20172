import type { SqliteWriter } from "./sqlite-writer.ts";

/**
 * How long deleted data may stay in the log. A checkpoint writes the pages of the log to the database and syncs it,
 * which took 10 to 20 ms for 1,000 pages. `shortenLog` does it after every 1,000 pages, but does not empty the file.
 */
const delayMs = 5_000;

/**
 * How long a process that closes waits for others. While another process read without a pause, only 3 of 100 attempts
 * that did not wait emptied the log.
 */
const maxCloseWaitMs = 1_000;

/** Empties the write-ahead log some time after a call to `schedule`, once for all calls in that time. */
export class CheckpointScheduler {
  readonly #writer: SqliteWriter;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #running = Promise.resolve();
  #isClosed = false;

  constructor(writer: SqliteWriter) {
    this.#writer = writer;
  }

  schedule(): void {
    this.#isScheduled = true;
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#running = this.#run(0);
    }, delayMs).unref();
  }

  /**
   * If a checkpoint is scheduled, runs it now: SQLite empties the log by itself only when the last connection to the
   * file closes, and other processes may keep theirs open. Call this while the writer is still open.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
    if (this.#isScheduled) await this.#run(maxCloseWaitMs);
  }

  /** The log cannot be emptied while others read or write. Then the next attempt comes after the same delay. */
  async #run(maxWaitMs: number): Promise<void> {
    this.#timer = undefined;
    this.#isScheduled = false;
    const isLogEmpty = await this.#writer.checkpoint(maxWaitMs).catch(() => false);
    if (!isLogEmpty) this.schedule();
  }
}
