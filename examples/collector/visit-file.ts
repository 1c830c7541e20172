import { type FileHandle, open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** 5,000 visits of 200 bytes: what a busy collector receives in a second. */
const maxQueuedBytes = 1024 * 1024;
const retryMs = 1000;

/**
 * A file that lines are appended to, behind a queue. Lines that arrive during a write are the next write, so a slow disk gets fewer and
 * larger ones. Each write opens the file by its name: one that was moved away, as logrotate does, is left alone without a signal. No
 * other program may append to it.
 */
export class VisitFile {
  readonly #path: string;
  readonly #maxFileBytes: number;
  readonly #onFault: (message: string) => void;
  readonly #closed = new AbortController();
  #lines: Buffer[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #fault: string | undefined;

  constructor(path: string, maxFileBytes: number, onFault: (message: string) => void) {
    this.#path = path;
    this.#maxFileBytes = maxFileBytes;
    this.#onFault = onFault;
  }

  /** Why the last attempt to write failed, until one succeeds. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** The disk is slow or full, or the file is too large. */
  get isFull(): boolean {
    return this.#queuedBytes >= maxQueuedBytes;
  }

  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#lines.push(bytes);
    this.#queuedBytes += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  /** Writes what is queued, and does not try again. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#writing;
    if (this.#queuedBytes > 0) this.#onFault(`${this.#queuedBytes} bytes of visits are lost.`);
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#closed;
    while (this.#queuedBytes > 0) {
      const fault = await this.#tryWrite();
      // A disk can stay full for a day, and one line of the log says so.
      if (fault !== undefined && fault !== this.#fault) this.#onFault(fault);
      this.#fault = fault;
      if (fault === undefined) continue;
      if (signal.aborted) break;
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
    this.#writing = undefined;
  }

  /** Returns why it failed. */
  async #tryWrite(): Promise<string | undefined> {
    try {
      const file = await open(this.#path, "a", 0o600);
      await this.#write(file).finally(() => file.close());
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  /** Writes all of the queue or nothing, so that a file that is moved away from a full disk does not end in the middle of a line. */
  async #write(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size >= this.#maxFileBytes) throw new Error(`${this.#path} has ${size} bytes. Move it away.`);
    const batch = Buffer.concat(this.#lines);
    this.#lines = [batch];
    try {
      await file.appendFile(batch);
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
    this.#lines.shift();
    this.#queuedBytes -= batch.length;
  }
}
