import { homedir } from "node:os";
import { exitCodes } from "./process/exit-code.ts";

const argv = process.argv.slice(2);

// The flag as the variable of the same meaning, before anything is loaded that reads the variable by itself.
if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";

// A reader that went away is told to main by the write that failed; unheard, the same error would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreBrokenPipe);
process.on("SIGINT", () => process.exit(exitCodes.interrupted));

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { version } = await import("./process/version.ts");
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import("./main.ts");
  const { stdin, stdout, stderr, env, platform } = process;
  process.exitCode = await main(argv, { stdin, stdout, stderr, env, platform, homeDirectory: homedir() });
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
