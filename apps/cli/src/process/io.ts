import type { Readable, Writable } from "node:stream";
import { eraseDrawnLine } from "./drawn-line.ts";
import type { Facts } from "./facts.ts";
import type { Interruption } from "./interruption.ts";
import type { Runtime } from "./runtime.ts";
import { WriteError } from "./write-error.ts";

/** The streams and the environment that the CLI runs with. Only `bin.ts` reads `process`, and passes them in. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
  readonly interruption: Interruption;
  readonly runtime: Runtime;
  readonly facts: Facts;
}

/** A stream that takes text and may be a terminal. */
export type TextSink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * Writes a string and waits until the stream accepted it, so that a slow reader slows down the CLI. Erases a progress bar
 * first, so that the two never share a line.
 *
 * @throws WriteError
 */
export function writeText(sink: TextSink, text: string): Promise<void> {
  eraseDrawnLine();
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(new WriteError(error)) : resolve()));
  });
}

/** Writes a message to stderr. If that fails, there is no place to say so, and the command continues. */
export async function writeMessage({ stderr }: Pick<Io, "stderr">, text: string): Promise<void> {
  await writeText(stderr, text).catch(() => undefined);
}

/** Whether a person can answer prompts: stdin is a terminal too, and stderr one that can be drawn on. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && mayDraw(io);
}

/** Whether lines on stderr can be drawn and erased again: it is a terminal, `CI` is not set and `TERM` is not `dumb`. */
export function mayDraw({ stderr, env }: Io): boolean {
  const { CI: ci = "", TERM: terminal } = env;
  return stderr.isTTY === true && terminal !== "dumb" && ["", "0", "false"].includes(ci.toLowerCase());
}

/** Whether to print colors on this stream (https://no-color.org). */
export function takesColor(sink: TextSink, env: Io["env"]): boolean {
  return sink.isTTY === true && env["TERM"] !== "dumb" && (env["NO_COLOR"] ?? "") === "";
}
