import { constants } from "node:os";
import { endProcesses } from "./end-processes.ts";
import { createTestRun, findKilledRuns, removeTestRun, type TestRun } from "./test-runs.ts";

/**
 * Begins a run of tests. However this process ends, it first ends the processes of the run and removes its folders. SIGKILL cannot be
 * caught: what such a run left is removed here.
 *
 * @returns the environment of the run's processes
 */
export function openTestRun(): Readonly<Record<string, string>> {
  for (const killed of findKilledRuns()) close(killed);
  const run = createTestRun();
  process.once("exit", () => close(run));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // One test installs 27,000 files, which take some seconds to remove on a busy disk.
      console.log("\nEnding what the tests started, and removing what they wrote.");
      process.exit(128 + constants.signals[signal]);
    });
  }
  // A terminal that was closed cannot be written to.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  return { TMPDIR: run.folder, ...(run.memory && { SITEWARD_TEST_MEMORY: run.memory }) };
}

function close(run: TestRun): void {
  endProcesses(run.folder);
  removeTestRun(run);
}
