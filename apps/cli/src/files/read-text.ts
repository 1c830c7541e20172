import { createReadStream } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { decodeText } from "./decode-text.ts";

/** The largest file that is read. A line for each of 100,000 websites with long lists takes about half of it. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads a text file, or standard input if the path is `-`.
 *
 * @throws CliError `usage` if it cannot be read, `input_refused` if it is too large or not UTF-8
 */
export async function readText(io: Io, path: string): Promise<string> {
  const name = path === "-" ? "Standard input" : path;
  const decoded = decodeText(await readBytes(openSource(io, path), name));
  if (decoded.ok) return decoded.value;
  throw new CliError("input_refused", `${name} ${decoded.reason}.`);
}

function openSource(io: Io, path: string): AsyncIterable<Buffer | string> {
  if (path !== "-") return createReadStream(path);
  if (io.stdin.isTTY !== true) return io.stdin;
  throw new CliError("usage", "The argument - reads standard input, which is a terminal. Use a pipe, or name a file.");
}

async function readBytes(source: AsyncIterable<Buffer | string>, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw new CliError("usage", `Cannot read ${name}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (size <= maxBytes) return Buffer.concat(chunks);
  throw new CliError(
    "input_refused",
    `${name} is larger than ${maxBytes / 1024 / 1024} MiB. Split it into several files.`,
  );
}
