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

  /**
   * Opens a file, and creates it if it does not exist.
   *
   * @throws Error if it cannot be written
   */
  static async open(path: string, maxFileBytes: number, onFault: (message: string) => void): Promise<VisitFile> {
    const file = await open(path, "a", 0o600).catch((error: unknown) => {
      throw new Error(`COLLECTOR_FILE is "${path}", which cannot be written: ${String(error)}`);
    });
    await file.close();
    const visits = new VisitFile(path, maxFileBytes, onFault);
    visits.#note(await visits.#tryWrite());
    if (visits.#fault !== undefined) visits.#writing = visits.#writeAll();
    return visits;
  }

  private constructor(path: string, maxFileBytes: number, onFault: (message: string) => void) {
    this.#path = path;
    this.#maxFileBytes = maxFileBytes;
    this.#onFault = onFault;
  }

  /** Why nothing can be written, until it can. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** The disk is slow or full, or the file is too long. What was appended before is kept, and written later. */
  get isRefusing(): boolean {
    return this.#fault !== undefined || this.#queuedBytes >= maxQueuedBytes;
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
    while (this.#queuedBytes > 0 || this.#fault !== undefined) {
      this.#note(await this.#tryWrite());
      if (this.#fault === undefined) continue;
      if (signal.aborted) break;
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
    this.#writing = undefined;
  }

  /** A disk can stay full for a day, and one line of the log says so. */
  #note(fault: string | undefined): void {
    if (fault !== undefined && fault !== this.#fault) this.#onFault(fault);
    this.#fault = fault;
  }

  /** Writes the queue, and returns why no more can be written. */
  async #tryWrite(): Promise<string | undefined> {
    try {
      const file = await open(this.#path, "a", 0o600);
      const size = await this.#write(file).finally(() => file.close());
      return size < this.#maxFileBytes ? undefined : `${this.#path} has ${size} bytes. Move it away.`;
    } catch (error) {
      return String(error);
    }
  }

  /**
   * Writes all of the queue or nothing, so that a file that is moved away from a full disk does not end in the middle of a line.
   *
   * @returns the size of the file
   */
  async #write(file: FileHandle): Promise<number> {
    const { size } = await file.stat();
    if (size >= this.#maxFileBytes || this.#queuedBytes === 0) return size;
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
    return size + batch.length;
  }
}
