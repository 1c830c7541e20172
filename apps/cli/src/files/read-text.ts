import { createReadStream } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { decodeText, readBytes } from "../process/read-input.ts";
import { systemReason } from "../process/system-reason.ts";

/**
 * The largest file that is read. 100,000 websites with two parameters and two networks each are 9 MB of CSV, 12 MB of
 * YAML, 17 MB of NDJSON and 25 MB of JSON with an indent.
 */
const maxTextBytes = 32 * 1024 * 1024;

/**
 * The most values of a file: its lines, or the separators of cells and entries, and all of them in JSON with an indent.
 * The JSON of 100,000 websites has 2.2 million. Files of a few megabytes can have more, such as lists of single
 * letters.
 */
const maxValues = 4_000_000;

/** How a text is read. */
interface TextOptions {
  /** What to do if there is no such file, as a sentence. */
  readonly ifMissing?: string;
  /** The largest size. Default: 32 MiB. */
  readonly maxBytes?: number;
  /** What to do with a larger one, as a sentence. */
  readonly ifTooLarge?: string;
}

/**
 * Reads a text file, or standard input if the path is `-`. What is past a limit is refused before it is decoded: the
 * source may be a file of a stranger, or a device that never ends.
 *
 * @throws CliError `usage` if it cannot be read, `input_refused` if it is too large or not UTF-8
 */
export async function readText(
  io: Io,
  path: string,
  { ifMissing, maxBytes = maxTextBytes, ifTooLarge = "Split it into several files." }: TextOptions = {},
): Promise<string> {
  io.saveMemory();
  const name = path === "-" ? "Standard input" : path;
  const bytes = await readBytes(openSource(io, path), maxBytes).catch((error: unknown) => {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new CliError("usage", `Cannot read ${name}: ${systemReason(error)}.`, isMissing ? ifMissing : undefined);
  });
  if (bytes === undefined)
    throw new CliError("input_refused", `${name} is larger than ${maxBytes / 1024 / 1024} MiB. ${ifTooLarge}`);
  if (countValues(bytes) > maxValues) throw tooManyValues(name);
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.value;
  throw new CliError("input_refused", `${name} ${decoded.reason}.`);
}

/** The bytes between values or before some: 1 for a tab, a line break, a comma, a semicolon, a bracket and a brace. */
const separators = Uint8Array.from({ length: 256 }, (_, byte) =>
  "\t\n\r,;[{".includes(String.fromCharCode(byte)) ? 1 : 0,
);

function countValues(bytes: Uint8Array): number {
  let count = 0;
  // Of 32 MB, an iterator takes 0.7 s.
  for (let index = 0; index < bytes.length; index += 1) count += separators[bytes[index] ?? 0] ?? 0;
  return count;
}

function tooManyValues(name: string): CliError {
  const limit = maxValues.toLocaleString("en-US");
  return new CliError("input_refused", `${name} has more than ${limit} values. Split it into several files.`);
}

/**
 * Reads a file of any size, or standard input if the path is `-`, in chunks.
 *
 * @param signal if it is aborted, reading stops as if the file ended there: a log that still grows has no end
 * @throws CliError `usage` if it cannot be read
 */
export async function* openBytes(io: Io, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = addAbortSignal(signal, openSource(io, path));
  try {
    yield* source;
  } catch (error) {
    if (signal.aborted) return;
    throw new CliError("usage", `Cannot read ${path === "-" ? "standard input" : path}: ${systemReason(error)}.`);
  }
}

/** @throws CliError `usage` if standard input is a terminal */
function openSource({ stdin }: Io, path: string): Readable {
  if (path !== "-") return createReadStream(path);
  if (stdin.isTTY !== true) return stdin;
  throw new CliError("usage", "The argument - reads standard input, which is a terminal. Use a pipe, or name a file.");
}
