import type { Siteward } from "@siteward/sdk";
import { environmentSettings } from "../config/environment-settings.ts";
import { type ProfileFile, readProfileFile } from "../config/profile-file.ts";
import { resolveSettings, type Settings } from "../config/resolve.ts";
import { CliError } from "../errors/cli-error.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { readApiKey } from "../flags/read-api-key.ts";
import { warn } from "../output/notices.ts";
import type { Io } from "../process/io.ts";
import { createClient } from "./create-client.ts";

/**
 * Creates a client from the flags, the environment and the profile. It does not send a request.
 *
 * @throws CliError `api_key_missing`, `api_key_mistyped`, `settings_unusable`, `usage`
 */
export async function connect(io: Io, flags: GlobalFlags): Promise<Siteward> {
  const file = await readProfileFile(io);
  const given = { apiKey: await readApiKey(io, flags), baseUrl: flags.baseUrl, profile: flags.profile };
  const settings = resolveSettings(given, environmentSettings(io), file.profiles);
  await warnIfExposed(io, flags, file, settings);
  if (settings.apiKey === undefined) {
    throw new CliError(
      "api_key_missing",
      "No API key was found.",
      "Log in with `siteward login`, or set SITEWARD_API_KEY.",
    );
  }
  return await createClient(io, { apiKey: settings.apiKey, baseUrl: settings.baseUrl });
}

async function warnIfExposed(io: Io, flags: GlobalFlags, file: ProfileFile, settings: Settings): Promise<void> {
  if (!file.isExposed || !settings.isStoredKey) return;
  await warn(io, flags, `Other users can read the API keys in ${file.path}. Run \`chmod 600 ${file.path}\`.`);
}
