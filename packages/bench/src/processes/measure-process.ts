import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a process used from its start to its end. */
export interface ProcessCost {
  /** In user mode and in the kernel, of all threads. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Bash is what measures a process that has ended in milliseconds: Node measures only itself, and `/proc` counts in 10 ms. */
const measured = `TIMEFORMAT="%3U %3S %3R"; time "$@" > /dev/null`;

/** Runs a Node program to its end. @throws if it fails */
export async function measureProcess(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<ProcessCost> {
  const { stderr } = await promisify(execFile)("bash", ["-c", measured, "bash", process.execPath, ...words], {
    env: environment,
  });
  // The times are the last line. A program may print notes before it.
  const times = stderr.trim().split("\n").at(-1)?.split(" ").map(Number);
  const [user = Number.NaN, system = Number.NaN, wall = Number.NaN] = times ?? [];
  if (Number.isNaN(user + system + wall)) throw new Error(`${words.join(" ")} printed ${stderr}`);
  return { cpuMs: (user + system) * 1_000, wallMs: wall * 1_000 };
}
