import { spawnSync } from "node:child_process";

/** Turbo and vitest show no notices of their own, and nothing is sent anywhere. */
const quiet = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/** Says what is done, does it, and ends the script where it fails. */
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
