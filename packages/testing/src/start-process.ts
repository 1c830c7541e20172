import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";

/** How a process ended, and what it wrote. */
export interface ProcessResult {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program in a process of its own, which is killed at the end of the test. */
export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** So far. */
  readonly written: Readonly<Record<"stdout" | "stderr", string>>;
  /**
   * Resolves with everything on a stream once that contains the text.
   *
   * @throws Error if the process ends before, with what it wrote on standard error
   */
  printed(text: string, stream?: "stdout" | "stderr"): Promise<string>;
  /** Asks it to end, kills it after 20 seconds, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Settles once the process and all its children have closed their output. */
  readonly ended: Promise<ProcessResult>;
}

export interface ProcessOptions {
  /** The entire environment. Default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  /** What it reads. If unset, standard input stays open. */
  readonly stdin?: string | undefined;
}

const stopTimeoutMs = 20_000;

/** Starts a program with its arguments. */
export function startProcess(
  [program = "", ...words]: readonly string[],
  { stdin, ...place }: ProcessOptions = {},
): RunningProcess {
  const child = spawn(program, words, { ...place, stdio: "pipe" });
  // A program that refuses its arguments ends without reading.
  child.stdin.on("error", () => undefined);
  if (stdin !== undefined) child.stdin.end(stdin);
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk;
    });
  }
  const ended = once(child, "close").then(() => ({ exitCode: child.exitCode, ...written }));
  const kill = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  return {
    child,
    written,
    ended,
    async printed(text, stream = "stdout") {
      while (!written[stream].includes(text)) {
        const more = once(child[stream], "data").then(() => undefined);
        const end = await Promise.race([more, ended]);
        if (end !== undefined) throw new Error(`It ended with ${end.exitCode}: ${end.stderr}`);
      }
      return written[stream];
    },
    async stop() {
      kill("SIGTERM");
      const timer = setTimeout(kill, stopTimeoutMs, "SIGKILL");
      const { exitCode } = await ended.finally(() => clearTimeout(timer));
      return exitCode;
    },
    async [Symbol.asyncDispose]() {
      kill("SIGKILL");
      await ended;
    },
  };
}
