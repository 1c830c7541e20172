import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** How a run of the program ended and what it wrote. */
export interface ProgramResult {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as it runs in a process of its own. */
export interface RunningProgram extends AsyncDisposable {
  /** Resolves with everything on standard output once that holds the text. */
  printed(text: string): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Reads standard error no longer, as a log reader that dies. */
  closeStderr(): void;
  readonly ended: Promise<ProgramResult>;
}

/** Runs `siteward-server` with these words to its end. */
export async function runProgram(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<ProgramResult> {
  await using running = startProgram(words, environment);
  return await running.ended;
}

/** Starts `siteward-server` with these words; the environment holds nothing but what is given. */
export function startProgram(words: readonly string[], environment: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [program, ...words], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = once(child, "close").then(() => ({
    exitCode: child.exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
  }));
  return {
    ended,
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
