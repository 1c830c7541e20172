import { createReadStream } from "node:fs";
import { decodeText } from "../files/decode-text.ts";
import { readBytes } from "../files/read-bytes.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";

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
  const text = await readInput(createReadStream(apiKeyFile), "--api-key-file", apiKeyFile);
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

/** The largest input of a flag. */
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
  return await readInput(io.stdin, flag);
}

/** Reads a secret, which is one line. Another encoding would become another password, which nobody can type. */
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
  if (!decoded.ok) throw new CliError("usage", `The input of ${flag} ${decoded.reason}.`);
  const secret = decoded.value.replace(/\r?\n$/, "");
  if (secret === "") throw new CliError("usage", `${flag} received no input.`);
  if (/[\r\n]/.test(secret)) throw new CliError("usage", `${flag} received more than one line.`);
  return secret;
}

/** An assignment in an environment file, the name of a header and the scheme in it. */
const prefixes = [/^(export\s+)?SITEWARD_API_KEY\s*=/i, /^authorization\s*:/i, /^bearer\s/i];

/**
 * Returns the API key in a string as people paste it: in quotes, wrapped to two lines, as a line of an environment file
 * or as an Authorization header.
 */
export function cleanApiKey(text: string): string {
  const unquoted = text.replaceAll(/["'`]/g, "");
  const key = prefixes.reduce((rest, prefix) => rest.trim().replace(prefix, ""), unquoted);
  return key.replaceAll(/\s/g, "");
}
