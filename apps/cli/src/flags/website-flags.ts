import type { UpdateWebsite, Website } from "@siteward/sdk";
import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { readSecretFromStdin, readTextFile } from "../input/read-secret.ts";
import type { Io } from "../process/io.ts";
import type { GlobalFlags } from "./global-flags.ts";
import { collectEntries, parsePrivacy, parseSwitch, splitEntries } from "./option-values.ts";

/** The flags for the settings of a website. */
export interface WebsiteFlags extends GlobalFlags {
  readonly privacy?: Website["privacy"];
  readonly passwordStdin?: true;
  readonly email?: 0 | 1;
  readonly excludeBots?: 0 | 1;
  readonly excludeParams?: readonly string[];
  readonly excludeIps?: readonly string[];
  readonly excludeIpsFile?: string;
}

/** Declares the flags for the settings of a website. */
export function addWebsiteFlags(command: Command): Command {
  return command
    .option("--privacy <level>", "public, private or password (0, 1, 2)", parsePrivacy)
    .option("--password-stdin", "read the password from standard input")
    .option("--email <switch>", "e-mail reports: on or off (1, 0)", parseSwitch)
    .option("--exclude-bots <switch>", "leave bots out: on or off (1, 0)", parseSwitch)
    .option(
      "--exclude-params <names>",
      "URL parameters to leave out; between commas, or the flag again",
      collectEntries,
    )
    .option("--exclude-ips <addresses>", "IPs to leave out; between commas, or the flag again", collectEntries)
    .option("--exclude-ips-file <path>", "file of IPs to leave out, one per line; # begins a comment");
}

/**
 * Turns the flags into the fields to send; a flag that is not given is a field that is not sent.
 *
 * @throws CliError `usage`
 */
export async function readWebsiteFlags(io: Io, flags: WebsiteFlags): Promise<UpdateWebsite> {
  if (flags.passwordStdin === true && flags.apiKeyStdin === true) {
    throw new CliError(
      "usage",
      "--password-stdin and --api-key-stdin cannot both read standard input; use --api-key-file",
    );
  }
  return {
    privacy: flags.privacy,
    password: flags.passwordStdin === true ? await readSecretFromStdin(io, "--password-stdin") : undefined,
    email: flags.email,
    exclude_bots: flags.excludeBots,
    exclude_params: flags.excludeParams === undefined ? undefined : [...flags.excludeParams],
    exclude_ips: await readIps(flags),
  };
}

async function readIps({ excludeIps, excludeIpsFile }: WebsiteFlags): Promise<string[] | undefined> {
  if (excludeIpsFile === undefined) return excludeIps === undefined ? undefined : [...excludeIps];
  const content = await readTextFile(excludeIpsFile, "--exclude-ips-file");
  return [...(excludeIps ?? []), ...splitEntries(content.replaceAll(/#.*$/gm, ""))];
}
