import { homedir } from "node:os";
import { exitCodes } from "./process/exit-code.ts";
import { createInterruption } from "./process/interruption.ts";
import { eraseDrawnLine, type Io, withBoldTitles, writeText } from "./process/io.ts";
import { version } from "./process/version.ts";

const argv = process.argv.slice(2);
const { env, platform } = process;

// --no-color becomes NO_COLOR before any module that reads the variable by itself is loaded.
if (argv.includes("--no-color")) env["NO_COLOR"] = "1";

/** Each stream is opened when it is first used: for a pipe, that loads `node:net`. */
const io: Io = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return watchForErrors(process.stdout);
  },
  get stderr() {
    return watchForErrors(process.stderr);
  },
  env,
  platform,
  get homeDirectory() {
    return homedir();
  },
  interruption: createInterruption(process),
  runtime: process,
  saveMemory,
  facts: {},
};

process.on("exit", eraseDrawnLine);
process.on("exit", failIfUnfinished);
void run();

async function run(): Promise<void> {
  if (argv[0] === "__complete") {
    // By default, a name server that does not answer would keep the exit below waiting for 10 seconds.
    env["RES_OPTIONS"] ??= "timeout:1 attempts:1";
    const [{ complete }, { createProgram }] = [await import("./complete/complete.ts"), await import("./program.ts")];
    await complete(argv.slice(1), io, createProgram(io));
    // A request or a keyring may not have answered in time. Nobody waits for it any more.
    process.exit(exitCodes.done);
  }
  const text = await answerAtOnce();
  if (text === undefined || !(await isWritten(text))) {
    const { main } = await import("./main.ts");
    process.exitCode = await main(argv, io);
  } else process.exitCode = exitCodes.done;
}

/** Writes the text. If that fails, main will meet the same error, and reports it. */
async function isWritten(text: string): Promise<boolean> {
  return await writeText(io.stdout, text).then(
    () => true,
    () => false,
  );
}

/** Returns the version, or help, without loading a command. */
async function answerAtOnce(): Promise<string | undefined> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return `${version}\n`;
  if (argv[0] !== "help" && argv.at(-1) !== "--help" && argv.at(-1) !== "-h") return undefined;
  const { helpPages } = await import("./help-pages.ts");
  const name = (argv[0] === "help" ? argv.slice(1) : argv.slice(0, -1)).join(" ");
  const page = Object.hasOwn(helpPages, name) ? helpPages[name] : undefined;
  return page === undefined ? undefined : withBoldTitles(page, io.stdout, env);
}

/** A failed write is reported where it was awaited. Without a listener, the error would end the process. */
function watchForErrors<Stream extends NodeJS.WriteStream>(stream: Stream): Stream {
  return stream.listeners("error").includes(ignore) ? stream : stream.on("error", ignore);
}

function ignore(): void {}

/**
 * Without the first flag, V8 lets its heap grow: 50,000 updates took 625 MB, and 194 with it. With it alone, V8 searches
 * a large heap after every few megabytes: a plan of 100,000 websites took 14 s of a processor, and takes 9.
 */
function saveMemory(): void {
  const { versions } = process;
  // Other runtimes cannot set flags.
  if (versions["bun"] !== undefined || versions["deno"] !== undefined) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of ["optimize-for-size", "heap-growing-percent=50"]) setFlagsFromString(`--${flag}`);
}

/** As Node does for a module: it fails if it still waits, but nothing is left to run. */
function failIfUnfinished(): void {
  process.exitCode ??= 13;
}
