import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The clock of processes that load `frozen-clock.ts`. */
export interface Clock extends Disposable {
  /** What a process needs in its environment to have this clock. */
  readonly settings: Readonly<Record<string, string>>;
  nowMs(): number;
  advance(byMs: number): void;
}

const clockModule = new URL("./frozen-clock.ts", import.meta.url).href;

/** Opens a clock that stands at the present time until it is advanced. */
export function openClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), "siteward-clock-"));
  const path = join(folder, "clock");
  const file = openSync(path, "w");
  const timeMs = new Float64Array([Date.now()]);
  const write = () => writeSync(file, timeMs, 0, timeMs.byteLength, 0);
  write();
  return {
    settings: { NODE_OPTIONS: `--import=${clockModule}`, FROZEN_CLOCK_FILE: path },
    nowMs: () => timeMs[0] ?? 0,
    advance(byMs) {
      timeMs[0] = (timeMs[0] ?? 0) + byMs;
      write();
    },
    [Symbol.dispose]() {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
