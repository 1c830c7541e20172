import { createReadStream } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { decodeText } from "../files/decode-text.ts";
import { readBytes } from "../files/read-bytes.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";

/** The largest input of a flag. The longest valid list of IP addresses takes a fiftieth of it. */
const maxBytes = 1024 * 1024;

/**
 * Reads a secret from standard input, without the line break at its end.
 *
 * @param flag the name of the flag, for messages
 * @throws CliError `usage` at a terminal, which would show what is typed, and if the input is empty, too large or not UTF-8
 */
export async function readSecretFromStdin(io: Io, flag: string): Promise<string> {
  if (io.stdin.isTTY === true) {
    throw new CliError(
      "usage",
      `${flag} does not read from a terminal. Use a pipe or a file, for example \`${flag} < file\`.`,
    );
  }
  return checkSecret(await readInput(io.stdin, flag), flag);
}

/**
 * Reads a secret from a file, without the line break at its end.
 *
 * @throws CliError `usage` if the file is empty, too large or not UTF-8, or cannot be read
 */
export async function readSecretFromFile(path: string, flag: string): Promise<string> {
  return checkSecret(await readTextFile(path, flag), flag);
}

/**
 * Reads a file that a flag names.
 *
 * @throws CliError `usage` if the file is too large or not UTF-8, or cannot be read
 */
export async function readTextFile(path: string, flag: string): Promise<string> {
  return await readInput(createReadStream(path), flag, path);
}

/** Another encoding would become another password, which nobody can type. */
async function readInput(
  source: AsyncIterable<Buffer | string>,
  flag: string,
  path = "standard input",
): Promise<string> {
  const bytes = await readBytes(source, maxBytes).catch((error: unknown) => {
    throw new CliError("usage", `Cannot read the file of ${flag}, ${path}: ${systemReason(error)}.`);
  });
  if (bytes === undefined) throw new CliError("usage", `The input of ${flag} is larger than 1 MiB.`);
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.value;
  throw new CliError("usage", `The input of ${flag} ${decoded.reason}.`);
}

function checkSecret(content: string, flag: string): string {
  const secret = content.replace(/\r?\n$/, "");
  if (secret === "") throw new CliError("usage", `${flag} received no input.`);
  if (/[\r\n]/.test(secret)) throw new CliError("usage", `${flag} received more than one line.`);
  return secret;
}
