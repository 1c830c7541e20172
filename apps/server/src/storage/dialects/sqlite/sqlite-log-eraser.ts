import type { SqliteDriver } from "./sqlite-driver.ts";

/**
 * How long the log may keep what was deleted. Erasing writes the pages of the log to the database and syncs it, which took
 * 10 to 20 ms for 1,000 pages; SQLite does the same by itself after every 1,000 pages.
 */
const delayMs = 5_000;

/**
 * How long a process that closes waits for others. With another process that read without a pause, 3 of 100 attempts that
 * did not wait emptied the log.
 */
const maxCloseWaitMs = 1_000;

/** Empties the write-ahead log a while after it was asked to, once for all who asked meanwhile. */
export class SqliteLogEraser {
  readonly #driver: SqliteDriver;
  #timer: NodeJS.Timeout | undefined;
  #isOwed = false;
  #erasing: Promise<void> | undefined;
  #isClosed = false;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  eraseSoon(): void {
    this.#isOwed = true;
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#erasing = this.#erase();
    }, delayMs).unref();
  }

  /**
   * Tries once more if an erasure is waiting: SQLite empties the log by itself only when the last connection to the file
   * closes, and other processes may keep theirs. Call it while the driver is still open.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#erasing;
    if (this.#isOwed) await this.#erase(maxCloseWaitMs);
  }

  /** While others read or write, the log cannot be emptied; the next attempt comes after the same time. */
  async #erase(maxWaitMs = 0): Promise<void> {
    this.#timer = undefined;
    this.#isOwed = false;
    const isErased = await this.#driver.emptyLog(maxWaitMs).catch(() => false);
    if (!isErased) this.eraseSoon();
  }
}
