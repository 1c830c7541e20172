import type { Readable, Writable } from "node:stream";

/** The outside world as this tool sees it. `bin.ts` hands in the real one; nothing else reads `process`. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
}

/** A stream for text that may be a terminal. */
export type TextSink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Writes a text and waits until the stream has taken it, so that a slow reader slows the tool down. */
export function writeText(sink: TextSink, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether questions may be asked: somebody sits at a terminal, and nothing says that it is a machine. */
export function isInteractive(io: Io): boolean {
  const { CI: ci = "", TERM: terminal } = io.env;
  if (terminal === "dumb" || !["", "0", "false"].includes(ci.toLowerCase())) return false;
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Whether this stream takes colour (https://no-color.org). */
export function takesColor(sink: TextSink, env: Io["env"]): boolean {
  return sink.isTTY === true && env["TERM"] !== "dumb" && (env["NO_COLOR"] ?? "") === "";
}
