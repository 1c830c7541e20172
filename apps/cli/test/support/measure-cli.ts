import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { peakBytesOfItself } from "@siteward/testing/process-tree";
import { cliBin } from "@siteward/testing/servers/built-programs";

/** What the built CLI did, and what it needed for that. */
export interface MeasuredRun {
  /** Null if a signal ended it, such as an abort because its memory was full. */
  readonly exitCode: number | null;
  /** Standard output and standard error. */
  readonly output: string;
  /** The most memory that it used. 0 if a signal ended it. */
  readonly peakBytes: number;
}

/** A run that needs a processor for a minute is ended, which is far more than it takes, so that it may be slow. */
const limited = ["-c", 'ulimit -t 60; exec "$@"', "sh"];

/** Makes a program say at its end how much memory it used, on file descriptor 3. */
const report = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  process.once("exit", () => writeSync(3, String(${peakBytesOfItself})));
`)}`;

/** Runs the built CLI with a file as standard input. */
export async function measureCli(argv: readonly string[], env: NodeJS.ProcessEnv, stdin: string): Promise<MeasuredRun> {
  await using input = await open(stdin);
  const command = [process.execPath, "--import", report, cliBin, ...argv];
  const child = spawn("/bin/sh", [...limited, ...command], { env, stdio: [input.fd, "pipe", "pipe", "pipe"] });
  // Node has a stream for each pipe that it was asked for.
  const outputs = child.stdio.slice(1).map((stream) => text(stream as AsyncIterable<Buffer>));
  const [[exitCode], [stdout = "", stderr = "", used = ""]] = await Promise.all([
    once(child, "close"),
    Promise.all(outputs),
  ]);
  return { exitCode, output: stdout + stderr, peakBytes: Number(used) };
}
