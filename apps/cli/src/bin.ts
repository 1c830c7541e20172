import { homedir } from "node:os";
import { eraseDrawnLine } from "./process/drawn-line.ts";
import { createInterruption } from "./process/interruption.ts";

const argv = process.argv.slice(2);

// --no-color becomes NO_COLOR before any module that reads the variable by itself is loaded.
if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";

// main learns from the failed write that the reader went away. Without a listener, the error would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreBrokenPipe);
process.on("exit", eraseDrawnLine);
const interruption = createInterruption(process);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { version } = await import("./process/version.ts");
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import("./main.ts");
  const { stdin, stdout, stderr, env, platform } = process;
  const homeDirectory = homedir();
  process.exitCode = await main(argv, { stdin, stdout, stderr, env, platform, homeDirectory, interruption });
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
