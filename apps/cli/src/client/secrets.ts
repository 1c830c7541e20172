import { createReadStream } from "node:fs";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { readSecret } from "../process/read-input.ts";

/**
 * Returns the API key that was given by a flag, if any. No flag takes the key itself, since every user of a machine can
 * read the arguments of every process.
 *
 * @throws CliError `usage`
 */
export async function readApiKey(io: Io, { apiKeyStdin, apiKeyFile }: GlobalFlags): Promise<GivenKey | undefined> {
  const remedy = "Pass a valid key.";
  if (apiKeyStdin === true) {
    const apiKey = cleanApiKey(await readSecretFromStdin(io, "--api-key-stdin"));
    return { apiKey, origin: "--api-key-stdin", remedy };
  }
  if (apiKeyFile === undefined) return undefined;
  const text = await readInput(createReadStream(apiKeyFile), `The file of --api-key-file, ${apiKeyFile},`);
  return { apiKey: cleanApiKey(text), origin: `--api-key-file ${apiKeyFile}`, remedy };
}

/** An API key that a flag or a variable has, and what to say of it if it is refused. */
export interface GivenKey {
  readonly apiKey: string;
  /** What has the key, as it was typed. */
  readonly origin: string;
  /** How to replace the key, as a sentence. */
  readonly remedy: string;
}

/**
 * Reads a secret from standard input, without the line break at its end.
 *
 * @param flag the name of the flag, for messages
 * @throws CliError `usage` at a terminal, which would show what is typed, and if the input is empty, too large or not
 *   UTF-8
 */
export async function readSecretFromStdin(io: Io, flag: string): Promise<string> {
  if (io.stdin.isTTY === true) {
    throw new CliError(
      "usage",
      `${flag} does not read from a terminal. Use a pipe or a file, for example \`${flag} < file\`.`,
    );
  }
  return await readInput(io.stdin, `The input of ${flag}`);
}

async function readInput(source: AsyncIterable<Buffer>, subject: string): Promise<string> {
  const secret = await readSecret(source);
  if (!secret.ok) throw new CliError("usage", `${subject} ${secret.reason}.`);
  if (secret.value === "") throw new CliError("usage", `${subject} is empty.`);
  return secret.value;
}

/**
 * Returns the API key in a string as people paste it: in quotes, wrapped to two lines, as a line of an environment file
 * or as an Authorization header.
 */
export function cleanApiKey(text: string): string {
  const bare = text.replaceAll(/["'`\s]/g, "");
  return bare.replace(/^(export)?(SITEWARD_API_KEY=|authorization:)?(bearer)?(?=swk_)/i, "");
}
