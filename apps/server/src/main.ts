import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { isatty } from "node:tty";
import { setFlagsFromString } from "node:v8";
import { runProgram } from "./operator/program.ts";

// V8 reads the first two when a thread starts, and the last before each growth of old objects (docs/decisions.md).
for (const flag of ["max-semi-space-size=16", "min-semi-space-size=4", "heap-growing-percent=150"])
  setFlagsFromString(`--${flag}`);

// Notes and the log go to standard error. If nobody reads them any more, the service must continue.
process.stderr.on("error", () => undefined);
process.stdout.on("error", endWithLostResult);

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  ...(isatty(0) && process.stderr.isTTY ? { ask: askOnTerminal } : {}),
  onSignal: (signal, listener) => {
    process.on(signal, listener);
    return () => process.off(signal, listener);
  },
});
// The channel between a worker and its primary must not keep alive a process whose program has ended.
process.channel?.unref();
// Nor must a log that nobody reads. The results of other commands wait for their reader.
if (process.argv[2] === "start") setTimeout(() => process.exit(), 1_000).unref();

/** A result that cannot be written is a failure, because a new key would be lost with it. */
function endWithLostResult(error: Error): void {
  process.stderr.write(`The result could not be written to standard output: ${error.message}.\n`);
  process.exit(1);
}

/** Ctrl-C and the end of the input cancel the question, which returns undefined. */
async function askOnTerminal(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const cancelled = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question), cancelled]);
  } finally {
    terminal.close();
  }
}
