import { Readable, Writable } from "node:stream";
import type { Io } from "../../src/process/io.ts";

/** Where a run within the test starts. */
export interface IoInput {
  /** The entire environment. */
  readonly env?: Io["env"];
  readonly stdin?: string | Uint8Array;
  /** The width of the terminal; without it, no stream is a terminal. */
  readonly columns?: number | undefined;
  /** Ctrl-C, for a command that takes over. */
  readonly signal?: AbortSignal | undefined;
  /** What the system says to each write to stdout, such as `EPIPE: broken pipe, write`. */
  readonly stdoutFault?: string | undefined;
}

/** The streams and the environment of a run within the test, and what it wrote. */
export interface RecordedIo {
  readonly io: Io;
  readonly written: () => { readonly stdout: string; readonly stderr: string };
  /** Everything that was written to a terminal, as it arrives there. */
  readonly raw: () => string;
}

/** For runs within the test, of which there are too many to start a process for each. */
export function recordIo({ env = {}, stdin = "", columns, signal = unending, stdoutFault }: IoInput = {}): RecordedIo {
  const written = { stdout: "", stderr: "" };
  let raw = "";
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const sink = (name: keyof typeof written): Writable => {
    const write: Writable["_write"] = (chunk, _encoding, done) => {
      written[name] += String(chunk);
      raw += String(chunk).replaceAll("\n", "\r\n");
      done();
    };
    return Object.assign(
      new Writable({ write }),
      terminal,
      name === "stdout" && stdoutFault ? refuse(stdoutFault) : {},
    );
  };
  const input = Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)], { objectMode: false });
  return {
    written: () => written,
    raw: () => raw,
    io: {
      stdin: Object.assign(input, terminal),
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      env,
      platform: process.platform,
      homeDirectory: "/nonexistent",
      interruption: { takeOver: () => ({ signal, [Symbol.dispose]: () => undefined }) },
      runtime: process,
      saveMemory: () => undefined,
      facts: {},
    },
  };
}

/** As on the stdout of a process, each write fails anew. */
function refuse(fault: string): Pick<Writable, "write"> {
  const error = Object.assign(new Error(fault), { code: fault.split(":")[0] });
  return { write: (_text: unknown, done?: unknown) => typeof done === "function" && done(error) };
}

const unending = new AbortController().signal;
