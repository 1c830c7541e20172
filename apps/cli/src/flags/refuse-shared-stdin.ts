import { CliError } from "../errors/cli-error.ts";
import type { GlobalFlags } from "./global-flags.ts";

/**
 * Checks that nothing else reads the standard input that a command reads.
 *
 * @param reader what reads it, for the message
 * @throws CliError `usage` if the API key is read from it too
 */
export function refuseSharedStdin(reader: string, { apiKeyStdin }: Pick<GlobalFlags, "apiKeyStdin">): void {
  if (apiKeyStdin !== true) return;
  throw new CliError("usage", `${reader} and --api-key-stdin cannot both read standard input. Use --api-key-file.`);
}
