import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** Turbo and vitest print no notices, and send no telemetry. */
const quiet = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/** How often a step that prints nothing itself says how long it has run. */
const intervalMs = 5_000;

/** Prints a title, runs a command, and exits if it fails. */
export async function runStep(
  title: string,
  command: string,
  commandArguments: readonly string[],
  options: SpawnOptions = {},
): Promise<void> {
  const startedAtMs = performance.now();
  const seconds = () => ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`\n▶ ${title}`);
  const child = spawn(command, commandArguments, {
    stdio: "inherit",
    ...options,
    env: { ...process.env, ...quiet, ...options.env },
  });
  const printsNothing = /--(output-logs|loglevel)=error/.test(commandArguments.join(" "));
  const timer = printsNothing ? setInterval(() => console.log(`  … ${seconds()} s`), intervalMs) : undefined;
  const [status] = await once(child, "close");
  clearInterval(timer);
  if (status !== 0) {
    console.error(`✗ ${title} failed`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${title} (${seconds()} s)`);
}
