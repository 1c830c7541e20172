import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** strace on the threads of a process, until it is disposed. */
export interface Tracer extends AsyncDisposable {
  /** What strace has written so far. */
  readonly output: () => string;
}

export interface TracerOptions {
  readonly processId: number;
  /** Options of strace, such as `-e trace=fsync`. */
  readonly options: readonly string[];
  /** The file that strace writes. */
  readonly outputFile: string;
}

const attachTimeoutMs = 10_000;

/** Attaches strace to a running process. */
export async function attachStrace({ processId, options, outputFile }: TracerOptions): Promise<Tracer> {
  const words = ["-f", "-o", outputFile, ...options, "-p", String(processId)];
  const strace = spawn("strace", words, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(strace, "exit");
  await waitUntilAttached(strace);
  return {
    output: () => readFileSync(outputFile, "utf8"),
    [Symbol.asyncDispose]: async () => {
      strace.kill("SIGINT");
      await ended;
    },
  };
}

async function waitUntilAttached(strace: ChildProcess): Promise<void> {
  let said = "";
  strace.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  for (const endMs = Date.now() + attachTimeoutMs; Date.now() < endMs; await sleep(5)) {
    if (/ attached/.test(said)) return;
    if (strace.exitCode !== null) break;
  }
  strace.kill("SIGKILL");
  throw new Error(`strace did not attach: ${said}`);
}
