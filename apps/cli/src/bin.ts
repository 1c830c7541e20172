import { homedir } from "node:os";
import { eraseDrawnLine } from "./process/drawn-line.ts";
import { exitCodes } from "./process/exit-code.ts";
import { createInterruption } from "./process/interruption.ts";

const argv = process.argv.slice(2);

// --no-color becomes NO_COLOR before any module that reads the variable by itself is loaded.
if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";

// main learns from the failed write that the reader went away. Without a listener, the error would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreBrokenPipe);
process.on("exit", eraseDrawnLine);
process.on("exit", failIfUnfinished);
const interruption = createInterruption(process);
void start();

async function start(): Promise<void> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    const { version } = await import("./process/version.ts");
    process.stdout.write(`${version}\n`);
    process.exitCode = exitCodes.done;
  } else {
    const { main } = await import("./main.ts");
    const { stdin, stdout, stderr, env, platform } = process;
    const io = { stdin, stdout, stderr, env, platform, homeDirectory: homedir(), interruption, runtime: process };
    process.exitCode = await main(argv, io);
  }
}

/** Node does the same for an entry point that is a module: it fails if it still waits, but nothing is left to run. */
function failIfUnfinished(): void {
  process.exitCode ??= 13;
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
