import { homedir } from "node:os";
import { eraseDrawnLine } from "../../src/process/drawn-line.ts";
import { createInterruption } from "../../src/process/interruption.ts";
import { type Io, writeText } from "../../src/process/io.ts";
import { startProgress } from "../../src/progress/start-progress.ts";

// Shows progress until a key ends it. The arguments are the label and, if it is known, the total.
const { stdin, stdout, stderr, env, platform } = process;
const interruption = createInterruption(process);
const io: Io = {
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
const [label = "Working", total] = process.argv.slice(2);
process.on("exit", eraseDrawnLine);

const progress = startProgress(io, { label, total: total === undefined ? undefined : Number(total) });
const step = startProgress(io, { label: "A step of it" });
await writeText(stdout, "ready\n");

/** What each key does. */
const keys: Readonly<Record<string, () => void>> = {
  "+": () => progress.advance(250),
  d: () => progress.describe("example.com"),
  p: () => void writeText(stdout, "a result\n"),
  n: () => {
    step[Symbol.dispose]();
    progress[Symbol.dispose]();
    startProgress(io, { label: "Work after it" });
  },
  i: () => process.kill(process.pid, "SIGINT"),
  q: () => {
    step[Symbol.dispose]();
    progress[Symbol.dispose]();
    stdin.pause();
    stdout.write("done\n");
  },
};
// In raw mode, the terminal does not show what is typed.
stdin.setRawMode(true);
stdin.setEncoding("utf8").on("data", (typed: string) => {
  for (const key of typed) keys[key]?.();
});
