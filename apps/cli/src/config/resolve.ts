import { CliError } from "../errors/cli-error.ts";
import { checkBaseUrl } from "./check-base-url.ts";
import { checkProfileName, defaultProfileName, type Profiles } from "./profiles.ts";

/** Where the service is looked for when nothing says otherwise: where it serves when it is started without settings. */
const defaultBaseUrl = "http://127.0.0.1:3000";

/** Settings as one source gives them; undefined where it does not. */
export interface SettingSource {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
}

/** The settings in force. */
export interface Settings {
  readonly apiKey: string | undefined;
  /** Whether the key is the profile's, so that the profile file has to be private. */
  readonly isStoredKey: boolean;
  readonly baseUrl: string;
}

/**
 * Decides each setting by itself: flag before environment before profile.
 *
 * @throws CliError `usage` where a value cannot be one, `api_key_missing` where the key should come from a profile that
 *   does not exist
 */
export function resolveSettings(flags: SettingSource, env: SettingSource, profiles: Profiles): Settings {
  const name = profileName(flags, env);
  const stored = profiles.get(name);
  const given = flags.apiKey ?? env.apiKey;
  if (given === undefined && stored !== undefined) refuseForeignAddress(env, flags, stored.baseUrl);
  const isNamed = flags.profile !== undefined || env.profile !== undefined;
  if (isNamed && stored === undefined && given === undefined) throw unknownProfile(name, profiles);
  return {
    apiKey: given ?? stored?.apiKey,
    isStoredKey: given === undefined && stored !== undefined,
    baseUrl: checkBaseUrl(flags.baseUrl ?? env.baseUrl ?? stored?.baseUrl ?? defaultBaseUrl),
  };
}

/**
 * Decides where a login goes: to a profile that need not exist yet, whose address stays where it does and none is given.
 *
 * @throws CliError `usage` where a value cannot be one
 */
export function resolveLogin(
  flags: SettingSource,
  env: SettingSource,
  profiles: Profiles,
): { readonly profile: string; readonly baseUrl: string } {
  const profile = profileName(flags, env);
  const baseUrl = flags.baseUrl ?? env.baseUrl ?? profiles.get(profile)?.baseUrl ?? defaultBaseUrl;
  return { profile, baseUrl: checkBaseUrl(baseUrl) };
}

/**
 * The profile that is meant.
 *
 * @throws CliError `usage` where the name cannot be one
 */
export function profileName(flags: SettingSource, env: SettingSource): string {
  return checkProfileName(flags.profile ?? env.profile ?? defaultProfileName);
}

/**
 * A stored key goes to another address only where the user types that address: a variable may come with a folder that
 * somebody else filled, and would have the key sent to them.
 */
function refuseForeignAddress(env: SettingSource, flags: SettingSource, storedUrl: string): void {
  if (flags.baseUrl !== undefined || env.baseUrl === undefined) return;
  if (checkBaseUrl(env.baseUrl) === checkBaseUrl(storedUrl)) return;
  throw new CliError(
    "usage",
    `the stored API key is for ${storedUrl}, but SITEWARD_BASE_URL is a different URL`,
    "Pass --base-url, also set SITEWARD_API_KEY, or unset SITEWARD_BASE_URL.",
  );
}

function unknownProfile(name: string, profiles: Profiles): CliError {
  const known = profiles.size === 0 ? "no profile exists yet" : `existing profiles: ${[...profiles.keys()].join(", ")}`;
  const next = `Log in with \`siteward login --profile ${name}\`.`;
  return new CliError("api_key_missing", `profile "${name}" does not exist; ${known}`, next);
}
