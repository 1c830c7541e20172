import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { findNodeProcess } from "@siteward/testing/process-tree";
import { type ProcessUsage, readUsage } from "./process-usage.ts";

/** A server in its own process. */
export interface StartedProcess extends AsyncDisposable {
  readonly url: string;
  /** Returns what it and the processes below it use now. */
  readonly usage: () => ProcessUsage;
}

export interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** A command line in front of Node, such as that of strace. */
  readonly wrapper?: readonly string[];
}

const settleMs = 300;
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a Node program that prints its URL, and waits for that line. */
export async function startProcess(
  commandLine: readonly string[],
  { environment = {}, wrapper = [] }: StartOptions = {},
): Promise<StartedProcess> {
  const [command = process.execPath, ...words] = [...wrapper, process.execPath, ...commandLine];
  const child = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.add(child);
  const ended = once(child, "exit").finally(() => running.delete(child));
  const url = await readUrl(child);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const processId = findNodeProcess(child.pid ?? 0) ?? child.pid ?? 0;
  return {
    url,
    usage: () => readUsage(processId),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(processId, "SIGTERM");
      await ended;
    },
  };
}

async function readUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error("The process has no standard output.");
  createInterface({ input: child.stdout }).on("line", (line) => {
    const url = / is listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`The process ended with ${code} before it listened.`)));
  return promise;
}
