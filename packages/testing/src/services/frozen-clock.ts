import { openSync, readSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Replaces the clocks of a process and its threads. They stand at the time that the file contains, as a 64-bit float of
 * milliseconds, so that a test decides when time passes. Loaded with `--import` before the program.
 */
const file = openSync(process.env["FROZEN_CLOCK_FILE"] ?? "", "r");
const timeMs = new Float64Array(1);

function readTimeMs(): number {
  readSync(file, timeMs, 0, timeMs.byteLength, 0);
  return timeMs[0] ?? 0;
}

class FrozenDate extends Date {
  constructor(...parts: [] | ConstructorParameters<typeof Date>) {
    if (parts.length === 0) super(readTimeMs());
    else super(...parts);
  }

  static override now(): number {
    return readTimeMs();
  }
}

// The cast is safe: nothing in the program calls `Date` without `new`.
globalThis.Date = FrozenDate as DateConstructor;
// The limits of requests count with this clock. On the thread that writes, it decides how long to wait for other writers.
if (isMainThread) performance.now = readTimeMs;
