import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { serverBin } from "@siteward/testing/servers/built-programs";

/** How a run of the program ended, and what it wrote. */
export interface ProgramResult {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program in a process of its own. */
export interface RunningProgram extends AsyncDisposable {
  readonly processId: number;
  /** Resolves with everything on standard output once that contains the text. */
  printed(text: string): Promise<string>;
  /** The log on standard error so far. */
  logEntries(): LogEntry[];
  signal(name: NodeJS.Signals): void;
  /** Stops reading standard error, like a log reader that dies. */
  closeStderr(): void;
  /** Settles once the process and all its children have closed their output. */
  readonly ended: Promise<ProgramResult>;
}

type LogEntry = Readonly<Record<string, unknown>>;

/**
 * Runs `siteward-server` with these arguments to its end.
 *
 * @param input what it reads on standard input
 */
export async function runProgram(
  words: readonly string[],
  environment: Record<string, string>,
  input?: string,
): Promise<ProgramResult> {
  await using running = startProgram(words, environment, input);
  return await running.ended;
}

/** Starts `siteward-server` with these arguments. The environment contains only what is given. */
export function startProgram(
  words: readonly string[],
  environment: Record<string, string>,
  input = "",
): RunningProgram {
  return start([process.execPath, serverBin, ...words], environment, input);
}

/**
 * Starts `siteward-server` as a user who is bound by the permissions of files. Root is not, so as root, it runs without the right to
 * pass over them.
 */
export function startUnprivileged(words: readonly string[], environment: Record<string, string>): RunningProgram {
  const wrapper = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  return startWrapped(wrapper, words, environment);
}

/** Starts `siteward-server` behind another command line, such as one that makes its disk slower. */
export function startWrapped(
  wrapper: readonly string[],
  words: readonly string[],
  environment: Record<string, string>,
): RunningProgram {
  return start(
    [...wrapper, process.execPath, serverBin, ...words],
    { PATH: process.env["PATH"] ?? "", ...environment },
    "",
  );
}

/** Starts another program. */
export function startCommand(words: readonly string[]): RunningProgram {
  return start(words, { PATH: process.env["PATH"] ?? "" }, "");
}

function start(
  [command = "", ...words]: readonly string[],
  environment: Record<string, string>,
  input: string,
): RunningProgram {
  const child = spawn(command, words, { env: environment, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = once(child, "close").then(() => ({
    exitCode: child.exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
  }));
  return {
    // If the system cannot start a process, an event says so and fails the test.
    processId: child.pid ?? 0,
    ended,
    logEntries: () => readLog(stderr.text),
    signal: (name) => void child.kill(name),
    closeStderr: () => void child.stderr.destroy(),
    async printed(text) {
      while (!stdout.text.includes(text)) {
        const more = once(child.stdout, "data").then(() => true);
        if (!(await Promise.race([more, ended.then(() => false)]))) throw new Error(`It ended: ${stderr.text}`);
      }
      return stdout.text;
    },
    async [Symbol.asyncDispose]() {
      if (isRunning(child)) child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Ignores lines for a person, and the line that is still being written. */
function readLog(text: string): LogEntry[] {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

function collect(stream: NodeJS.ReadableStream): { text: string } {
  const collected = { text: "" };
  stream.on("data", (chunk) => {
    collected.text += chunk;
  });
  return collected;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
