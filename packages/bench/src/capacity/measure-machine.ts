import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../../../../scripts/median.ts";
import type { MachineFigures } from "../docs/figures.ts";

const syncs = 200;
const appendedBytes = 4096;

/** Describes this machine, and measures how long its disk takes to sync. */
export function measureMachine(): MachineFigures {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    node: process.version,
    syncMs: measureSyncMs(),
  };
}

function measureSyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), "siteward-bench-"));
  const file = openSync(join(folder, "appended"), "w");
  try {
    const timesMs = Array.from({ length: syncs }, () => {
      writeSync(file, Buffer.alloc(appendedBytes));
      const startedAtMs = performance.now();
      fdatasyncSync(file);
      return performance.now() - startedAtMs;
    });
    return median(timesMs);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
