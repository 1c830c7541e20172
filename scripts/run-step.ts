import { spawnSync } from "node:child_process";

/** Turbo and vitest print no notices, and send no telemetry. */
const quiet = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/** Prints a title, runs a command, and exits if it fails. */
export function runStep(title: string, command: string, commandArguments: readonly string[]): void {
  const startedAtMs = performance.now();
  console.log(`\n▶ ${title}`);
  const { status, error } = spawnSync(command, commandArguments, {
    stdio: "inherit",
    env: { ...process.env, ...quiet },
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`✗ ${title} failed`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${title} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
}
