import type { Readable, Writable } from "node:stream";
import type { ExitCode } from "./exit-code.ts";
import type { Interruption } from "./interruption.ts";
import { WriteError } from "./write-error.ts";

/** The streams and the environment that the CLI runs with. Only `bin.ts` reads `process`. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
  readonly interruption: Interruption;
  readonly runtime: Runtime;
  /** Keeps the memory of this run small, before a file of up to 100,000 websites is read. */
  readonly saveMemory: () => void;
  readonly facts: Facts;
}

/** What the CLI uses of the runtime: its version, and modules that are loaded only if needed. */
export type Runtime = Pick<NodeJS.Process, "versions" | "getBuiltinModule" | "allowedNodeEnvironmentFlags">;

/** What a run found out that only its end needs: what prints messages and ends the run. */
export interface Facts {
  /** The exit code of a result that says more than "done". */
  exitCode?: ExitCode;
  /** The variable that names the proxy, such as `HTTPS_PROXY`; undefined without one. */
  proxyVariable?: string;
  /** The API key of the requests. */
  key?: UsedKey;
  /** Whether messages on stderr are JSON, one per line. */
  areMessagesJson?: () => boolean;
}

/** Where an API key comes from and goes to, for the error of a key that is refused. */
interface UsedKey {
  /** What has the key, such as "SITEWARD_API_KEY". */
  readonly origin: string;
  /** The service that it is sent to. */
  readonly baseUrl: string;
  /** How to replace the key, as a sentence. */
  readonly remedy: string;
}

/** A stream that takes text and may be a terminal. */
export type TextSink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Removes the drawn line from the screen. Undefined while nothing is drawn. */
let erase: (() => void) | undefined;

/**
 * Remembers that a line which must not mix with other output is on the screen, such as a progress bar. A process has
 * one terminal, so there is at most one such line.
 *
 * @param eraseLine removes the line from the screen
 */
export function setDrawnLine(eraseLine: () => void): void {
  erase = eraseLine;
}

/** Removes the drawn line, if there is one. Call it before any other text is written to the terminal. */
export function eraseDrawnLine(): void {
  const eraseLine = erase;
  erase = undefined;
  eraseLine?.();
}

/**
 * Writes a string and waits until the stream accepted it, so that a slow reader slows down the CLI. Erases a progress
 * bar first, so that the two never share a line.
 *
 * @throws WriteError
 */
export function writeText(sink: TextSink, text: string): Promise<void> {
  eraseDrawnLine();
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(new WriteError(error)) : resolve()));
  });
}

/** Writes strings as they arrive. @throws WriteError */
export async function writeTexts(sink: TextSink, texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  for await (const text of texts) await writeText(sink, text);
}

/** Writes a message to stderr. If that fails, there is no place to say so, and the command continues. */
export async function writeMessage({ stderr }: Pick<Io, "stderr">, text: string): Promise<void> {
  await writeText(stderr, text).catch(() => undefined);
}

/** Whether a person can answer prompts: stdin is a terminal too, and stderr one that can be drawn on. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && mayDraw(io);
}

/** Whether lines on stderr can be drawn and erased: at a terminal, without `CI` or a dumb `TERM`. */
export function mayDraw({ stderr, env }: Io): boolean {
  const { CI: ci = "", TERM: terminal } = env;
  return stderr.isTTY === true && terminal !== "dumb" && ["", "0", "false"].includes(ci.toLowerCase());
}

/** Whether to print colors on this stream (https://no-color.org). */
export function takesColor(sink: TextSink, env: Io["env"]): boolean {
  return sink.isTTY === true && env["TERM"] !== "dumb" && (env["NO_COLOR"] ?? "") === "";
}

/** Makes the titles of a help page bold on a stream that takes color. */
export function withBoldTitles(page: string, sink: TextSink, env: Io["env"]): string {
  return takesColor(sink, env) ? page.replaceAll(/^(?:Usage:|[A-Z][\w ]*:$)/gm, "\u001b[1m$&\u001b[22m") : page;
}
