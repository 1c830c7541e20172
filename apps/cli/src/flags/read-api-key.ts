import { cleanApiKey } from "../input/clean-api-key.ts";
import { readSecretFromFile, readSecretFromStdin } from "../input/read-secret.ts";
import type { Io } from "../process/io.ts";
import type { GlobalFlags } from "./global-flags.ts";

/**
 * Returns the API key that was given by a flag, if any. No flag takes the key itself, since every user of a machine can
 * read the arguments of every process.
 *
 * @throws CliError `usage`
 */
export async function readApiKey(io: Io, flags: GlobalFlags): Promise<string | undefined> {
  if (flags.apiKeyStdin === true) return cleanApiKey(await readSecretFromStdin(io, "--api-key-stdin"));
  if (flags.apiKeyFile !== undefined) return cleanApiKey(await readSecretFromFile(flags.apiKeyFile, "--api-key-file"));
  return undefined;
}

/** Returns the flag that the API key comes from, as it was typed. */
export function originOfKey({ apiKeyFile }: Pick<GlobalFlags, "apiKeyFile">): string {
  return apiKeyFile === undefined ? "--api-key-stdin" : `--api-key-file ${apiKeyFile}`;
}
