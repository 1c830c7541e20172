import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server in its own process. */
export interface StartedProcess extends AsyncDisposable {
  readonly url: string;
  /** What it printed up to the line with its URL, and for a moment after that. */
  readonly output: readonly string[];
  /** Returns how much memory it uses, in bytes. */
  readonly residentBytes: () => number;
}

const settleMs = 300;

/** Starts a Node program that prints its URL, and waits for that line. */
export async function startProcess(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, commandLine, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const output: string[] = [];
  const url = await readUrl(child, output);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return {
    url,
    output,
    residentBytes: () => readResidentBytes(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function readUrl(child: ChildProcess, output: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error("The process has no standard output.");
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.push(line);
    const url = / is listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once("exit", (code) => reject(new Error(`The process ended with ${code} before it listened.`)));
  return promise;
}

function readResidentBytes(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
