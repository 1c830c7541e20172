import type { SqliteDriver } from "./sqlite-driver.ts";

/**
 * How long the log may keep what was deleted. Erasing writes the pages of the log to the database and syncs it, which took
 * 10 to 20 ms for 1,000 pages; SQLite does the same by itself after every 1,000 pages.
 */
const delayMs = 5_000;

/** Empties the write-ahead log a while after it was asked to, once for all who asked meanwhile. */
export class SqliteLogEraser {
  readonly #driver: SqliteDriver;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  eraseSoon(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#erase(), delayMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** While others read or write, the log cannot be emptied; the next attempt comes after the same time. */
  async #erase(): Promise<void> {
    this.#timer = undefined;
    const isErased = await this.#driver.emptyLog().catch(() => false);
    if (!isErased) this.eraseSoon();
  }
}
