import { Readable, Writable } from "node:stream";
import type { Io } from "../../src/process/io.ts";

/** The streams and the environment of a run within the test, and what it wrote. */
export interface RecordedIo {
  readonly io: Io;
  readonly written: () => { readonly stdout: string; readonly stderr: string };
}

/** For runs without a terminal, of which there are too many to start a process for each. */
export function recordIo(env: Io["env"] = {}): RecordedIo {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const takeOver = () => ({ signal: new AbortController().signal, [Symbol.dispose]: () => undefined });
  return {
    written: () => written,
    io: {
      stdin: Readable.from([]),
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      env,
      platform: process.platform,
      homeDirectory: "/nonexistent",
      interruption: { takeOver },
      runtime: process,
      facts: {},
    },
  };
}
