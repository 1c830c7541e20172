import { createReadStream } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";
import { decodeText } from "./decode-text.ts";
import { readBytes } from "./read-bytes.ts";

/** The largest file that is read. A line for each of 100,000 websites with long lists takes about half of it. */
export const maxTextBytes = 32 * 1024 * 1024;

/**
 * Reads a text file, or standard input if the path is `-`.
 *
 * @param ifMissing what to do if there is no such file, as a sentence
 * @throws CliError `usage` if it cannot be read, `input_refused` if it is too large or not UTF-8
 */
export async function readText(io: Io, path: string, ifMissing?: string): Promise<string> {
  const name = path === "-" ? "Standard input" : path;
  const decoded = decodeText(await readAll(openSource(io, path), name, ifMissing));
  if (decoded.ok) return decoded.value;
  throw new CliError("input_refused", `${name} ${decoded.reason}.`);
}

async function readAll(source: AsyncIterable<Buffer | string>, name: string, ifMissing?: string): Promise<Uint8Array> {
  const bytes = await readBytes(source, maxTextBytes).catch((error: unknown) => {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new CliError("usage", `Cannot read ${name}: ${systemReason(error)}.`, isMissing ? ifMissing : undefined);
  });
  if (bytes !== undefined) return bytes;
  throw new CliError(
    "input_refused",
    `${name} is larger than ${maxTextBytes / 1024 / 1024} MiB. Split it into several files.`,
  );
}

function openSource(io: Io, path: string): AsyncIterable<Buffer | string> {
  if (path !== "-") return createReadStream(path);
  if (io.stdin.isTTY !== true) return io.stdin;
  throw new CliError("usage", "The argument - reads standard input, which is a terminal. Use a pipe, or name a file.");
}
