import { readSecretFromFile, readSecretFromStdin } from "../input/read-secret.ts";
import type { Io } from "../process/io.ts";
import type { GlobalFlags } from "./global-flags.ts";

/**
 * The API key that a flag gives, if one does. No flag takes the key itself: every user of the machine can read the
 * arguments of every process.
 *
 * @throws CliError `usage`
 */
export async function readKeyOfFlags(io: Io, flags: GlobalFlags): Promise<string | undefined> {
  if (flags.apiKeyStdin === true) return (await readSecretFromStdin(io, "--api-key-stdin")).trim();
  if (flags.apiKeyFile !== undefined) return (await readSecretFromFile(flags.apiKeyFile, "--api-key-file")).trim();
  return undefined;
}
