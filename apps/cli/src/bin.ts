import { homedir } from "node:os";
import { eraseDrawnLine } from "./process/drawn-line.ts";
import { type ExitCode, exitCodes } from "./process/exit-code.ts";
import { createInterruption } from "./process/interruption.ts";
import { type Io, writeText } from "./process/io.ts";

const argv = process.argv.slice(2);

// --no-color becomes NO_COLOR before any module that reads the variable by itself is loaded.
if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";

// A failed write is reported where it was awaited. Without a listener, the error would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.on("exit", eraseDrawnLine);
process.on("exit", failIfUnfinished);
const interruption = createInterruption(process);
void start();

async function start(): Promise<void> {
  const { stdin, stdout, stderr, env, platform } = process;
  const io = {
    stdin,
    stdout,
    stderr,
    env,
    platform,
    homeDirectory: homedir(),
    interruption,
    runtime: process,
    facts: {},
  };
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    const { version } = await import("./process/version.ts");
    process.exitCode = await print(io, `${version}\n`);
  } else {
    const { main } = await import("./main.ts");
    process.exitCode = await main(argv, io);
  }
}

/** Prints a text that needs nothing else to be loaded. */
async function print(io: Io, text: string): Promise<ExitCode> {
  try {
    await writeText(io.stdout, text);
    return exitCodes.done;
  } catch (error) {
    const { report } = await import("./main.ts");
    return await report(error, { argv, io });
  }
}

/** Node does the same for an entry point that is a module: it fails if it still waits, but nothing is left to run. */
function failIfUnfinished(): void {
  process.exitCode ??= 13;
}
