import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";

/** What a program did with a file. */
export interface ReaderRun {
  /** Undefined if a signal ended it, such as an abort because its memory was full. */
  readonly exitCode: number | undefined;
  /** Standard output and standard error. */
  readonly output: string;
  /** The most memory that it used. 0 if it was ended by a signal. */
  readonly peakBytes: number;
  /** The time of processors that it used. A busy machine does not make it much longer. */
  readonly cpuMs: number;
}

/** A run that takes longer is ended. */
const timeoutMs = 20_000;

/** Makes a program say at its end what it used, on file descriptor 3. */
const report = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  process.once("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));
`)}`;

/**
 * Runs a Node program that reads a file.
 *
 * @param options.stdin the path of a file that it gets as standard input
 */
export async function runReader(
  commandLine: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly stdin?: string },
): Promise<ReaderRun> {
  const stdin = options.stdin === undefined ? "ignore" : openSync(options.stdin, "r");
  const child = spawn(process.execPath, ["--import", report, ...commandLine], {
    env: options.env,
    stdio: [stdin, "pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  try {
    const [, stdout, stderr, used] = child.stdio;
    const outputs = [stdout, stderr, used].map((stream) => text(stream as AsyncIterable<Buffer>));
    const [[exitCode], ...texts] = await Promise.all([once(child, "close"), ...outputs]);
    const { maxRSS = 0, userCPUTime = 0, systemCPUTime = 0 } = JSON.parse(texts[2] || "{}");
    const output = `${texts[0]}${texts[1]}`;
    return {
      exitCode: exitCode ?? undefined,
      output,
      peakBytes: maxRSS * 1024,
      cpuMs: (userCPUTime + systemCPUTime) / 1e3,
    };
  } finally {
    if (typeof stdin === "number") closeSync(stdin);
  }
}
