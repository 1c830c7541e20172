import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "./config.ts";

/** A logger and what must happen before the process ends. */
export interface Log {
  readonly logger: Logger;
  /** Writes the lines that wait to be written. */
  readonly flush: () => void;
}

const errorLevel = pino.levels.values["error"] ?? 50;
/** By this pino knows to set `lastLevel` before it writes a line. */
const wantsMetadata: unique symbol = Symbol.for("pino.metadata");
const maxWaitMs = 100;
const maxWaitingLength = 64 * 1024;

/**
 * Logs JSON lines, and hands them to `write` some at a time: pino's own destination counts the bytes of every line as it
 * comes, which was measured at 6 to 10 µs a line where this takes one. A line waits a tenth of a second at most; an
 * error is written at once, with all before it.
 */
export function createLog(level: LogLevel, write: (text: string) => void): Log {
  const lines = new WaitingLines(write);
  return { logger: pino({ level }, lines), flush: () => lines.flush() };
}

class WaitingLines implements DestinationStream {
  readonly [wantsMetadata] = true;
  lastLevel = 0;
  readonly #write: (text: string) => void;
  #waiting: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  write(line: string): void {
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#length >= maxWaitingLength || this.lastLevel >= errorLevel) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), maxWaitMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    if (lines.length > 0) this.#write(lines.join(""));
  }
}
