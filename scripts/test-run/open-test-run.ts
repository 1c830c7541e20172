import { constants } from "node:os";
import type { StepOptions } from "../run-step.ts";
import { endProcesses } from "./end-processes.ts";
import { createTestRun, findKilledRuns, removeTestRun, type TestRun } from "./test-runs.ts";

/**
 * Begins a run of tests. However this process ends, it first ends the processes of the run and removes its folders. SIGKILL cannot be
 * caught: what such a run left is removed here.
 *
 * @returns the options of the run's steps
 */
export function openTestRun(): StepOptions {
  for (const killed of findKilledRuns()) close(killed, undefined);
  const run = createTestRun();
  let groupId: number | undefined;
  process.once("exit", () => close(run, groupId));
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
  return {
    env: { TMPDIR: run.folder, ...(run.memory && { SITEWARD_TEST_MEMORY: run.memory }) },
    // Each step is a process group, so Ctrl-C reaches only this process, which ends the others. They read no keys.
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    onStart: (step) => {
      groupId = step.pid;
    },
  };
}

/** A folder that cannot be removed does not stop the tests. */
function close(run: TestRun, groupId: number | undefined): void {
  endProcesses(run.folder, groupId);
  try {
    removeTestRun(run);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`What tests wrote to ${run.folder} could not be removed (${reason}). Remove it yourself.`);
  }
}
