import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Turbo and vitest print no notices, and send no telemetry. */
const quiet = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/**
 * Runs a command, and exits if it fails. Prints a title before it and a line after it. A command that prints only errors has one line in
 * all: on a terminal, it counts the seconds, and what the command prints is shown if it fails.
 *
 * @param options.until the line is printed after it, and not before: another step uses the terminal
 */
export async function runStep(
  title: string,
  command: string,
  commandArguments: readonly string[],
  { until, ...options }: SpawnOptions & { readonly until?: Promise<void> } = {},
): Promise<void> {
  const startedAtMs = performance.now();
  const seconds = () => ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const isQuiet = /--(output-logs|loglevel)=error/.test(commandArguments.join(" "));
  if (!isQuiet) console.log(`\n▶ ${title}`);
  const child = spawn(command, commandArguments, {
    stdio: isQuiet ? ["inherit", "pipe", "pipe"] : "inherit",
    ...options,
    env: { ...process.env, ...quiet, ...options.env },
  });
  const redraw =
    process.stdout.isTTY && until === undefined ? (line: string) => process.stdout.write(`\r${line}`) : () => false;
  const timer = isQuiet ? setInterval(() => redraw(`… ${title} (${seconds()} s)`), 1_000) : undefined;
  const printed = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
  const [status] = await once(child, "close");
  clearInterval(timer);
  redraw("");
  if (status !== 0) {
    console.error((await Promise.all(printed)).join(""));
    console.error(`✗ ${title} failed`);
    process.exit(status ?? 1);
  }
  const line = `✓ ${title} (${seconds()} s)`;
  await until;
  console.log(line);
}
