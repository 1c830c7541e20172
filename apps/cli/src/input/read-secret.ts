import { readFile } from "node:fs";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";

/**
 * Reads a secret from standard input, without the line break at its end.
 *
 * @param flag the name of the flag, for messages
 * @throws CliError `usage` at a terminal, which would show what is typed, and if the input is empty
 */
export async function readSecretFromStdin(io: Io, flag: string): Promise<string> {
  if (io.stdin.isTTY === true) {
    throw new CliError(
      "usage",
      `${flag} does not read from a terminal. Use a pipe or a file, for example \`${flag} < file\`.`,
    );
  }
  return checkSecret(await text(io.stdin), flag);
}

/**
 * Reads a secret from a file, without the line break at its end.
 *
 * @throws CliError `usage` if the file is empty or cannot be read
 */
export async function readSecretFromFile(path: string, flag: string): Promise<string> {
  return checkSecret(await readTextFile(path, flag), flag);
}

/**
 * Reads a file that a flag names.
 *
 * @throws CliError `usage` if the file cannot be read
 */
export async function readTextFile(path: string, flag: string): Promise<string> {
  try {
    // Not from node:fs/promises, which loads node:readline: 3 ms of the start of every command.
    return await promisify(readFile)(path, "utf8");
  } catch (error) {
    throw new CliError(
      "usage",
      `Cannot read the file of ${flag}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function checkSecret(content: string, flag: string): string {
  const secret = content.replace(/\r?\n$/, "");
  if (secret === "") throw new CliError("usage", `${flag} received no input.`);
  if (/[\r\n]/.test(secret)) throw new CliError("usage", `${flag} received more than one line.`);
  return secret;
}
