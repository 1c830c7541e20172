import type { Siteward } from "@siteward/sdk";
import { environmentSettings } from "../config/environment-settings.ts";
import { readProfileFile } from "../config/profile-file.ts";
import { type KeySource, resolveSettings } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { originOfKey, readApiKey } from "../flags/read-api-key.ts";
import { readStoredKey } from "../keyring/read-stored-key.ts";
import { warn } from "../output/notices.ts";
import type { UsedKey } from "../process/facts.ts";
import type { Io } from "../process/io.ts";
import { createClient } from "./create-client.ts";
import { warnOfPlainText } from "./warn-of-plain-text.ts";

/**
 * Creates a client from the flags, the environment and the profile. It does not send a request.
 *
 * @param defaultRetries how often it retries without `--retries`
 * @throws CliError `api_key_missing`, `api_key_mistyped`, `settings_unusable`, `usage`
 */
export async function connect(io: Io, flags: GlobalFlags, defaultRetries = 0): Promise<Siteward> {
  const file = await readProfileFile(io);
  const given = { apiKey: await readApiKey(io, flags), baseUrl: flags.baseUrl, profile: flags.profile };
  const { key, baseUrl } = resolveSettings(given, environmentSettings(io), file.profiles);
  io.facts.key = describeKey(key, flags, { baseUrl, profilePath: file.path });
  if (key.from === "profile" && key.key.store === "file" && file.isExposed) {
    await warn(io, flags, `Other users can read the API keys in ${file.path}. Run \`chmod 600 ${file.path}\`.`);
  }
  await warnOfPlainText(io, flags, baseUrl);
  return await createClient(io, flags, { apiKey: await readStoredKey(io, key), baseUrl, defaultRetries });
}

/** Describes the API key of a command for the error that the service may answer with. */
function describeKey(
  key: KeySource,
  flags: Pick<GlobalFlags, "apiKeyFile">,
  { baseUrl, profilePath }: { readonly baseUrl: string; readonly profilePath: string },
): UsedKey {
  switch (key.from) {
    case "flag":
      return { origin: originOfKey(flags), baseUrl, remedy: "Pass a valid key." };
    case "environment":
      return {
        origin: "SITEWARD_API_KEY",
        baseUrl,
        remedy: "Set SITEWARD_API_KEY to a valid key, or unset it to use the key of your profile.",
      };
    case "profile": {
      const place = key.key.store === "keyring" ? "the keyring of this system" : profilePath;
      const remedy = `Log in again with \`siteward login --profile ${key.profile}\`.`;
      return { origin: `profile "${key.profile}" in ${place}`, baseUrl, remedy };
    }
  }
}
