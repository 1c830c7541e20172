import { findServerBin } from "./built-server.ts";
import { type CommandLine, readCommandLine, UsageError, usage } from "./command-line.ts";
import { rows } from "./rows/index.ts";
import { runAll } from "./run-all.ts";

// On a signal the process calls `exit`, so that everything it started ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

process.exitCode = await main();

async function main(): Promise<number> {
  const commandLine = readOrExplain();
  if (commandLine === undefined) return 2;
  if (commandLine.isHelp) {
    console.log(usage);
    return 0;
  }
  if (commandLine.isList) {
    for (const [name, { promise, engines }] of Object.entries(rows)) {
      console.log(`${name} (${engines.join(", ")}): ${promise}`);
    }
    return 0;
  }
  const isGreen = await runAll({ ...commandLine, serverBin: commandLine.server ?? findServerBin(process.env) });
  return isGreen ? 0 : 1;
}

function readOrExplain(): CommandLine | undefined {
  try {
    return readCommandLine(process.argv.slice(2), () => Date.now() % 1_000_000);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${usage}`);
    return undefined;
  }
}
