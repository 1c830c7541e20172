import { CliError } from "../errors/cli-error.ts";
import { checkBaseUrl } from "./check-base-url.ts";
import { checkProfileName, defaultProfileName, type Profiles } from "./profiles.ts";

/** The URL of a service that was started without settings. */
const defaultBaseUrl = "http://127.0.0.1:3000";

/** The settings from one source; undefined if the source does not have them. */
export interface SettingSource {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
}

/** The settings that a command runs with. */
export interface Settings {
  readonly apiKey: string | undefined;
  /** Whether the key comes from the profile, so that the profile file must be private. */
  readonly isStoredKey: boolean;
  readonly baseUrl: string;
}

/**
 * Resolves each setting on its own: a flag overrides the environment, which overrides the profile.
 *
 * @throws CliError `usage` if a value is invalid, `api_key_missing` if the key should come from a profile that does not
 *   exist
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

/** Where a login stores its key, and which service the key is for. */
export interface LoginTarget {
  readonly profile: string;
  readonly baseUrl: string;
  /** Whether nothing names the URL. */
  readonly isDefaultUrl: boolean;
  /** The URL of the profile that the login replaces, if it exists. */
  readonly replacedUrl: string | undefined;
}

/**
 * Resolves the profile and base URL of a login. The profile need not exist. If it does, its base URL is the default.
 *
 * @throws CliError `usage` if a value is invalid
 */
export function resolveLogin(flags: SettingSource, env: SettingSource, profiles: Profiles): LoginTarget {
  const profile = profileName(flags, env);
  const replacedUrl = profiles.get(profile)?.baseUrl;
  const named = flags.baseUrl ?? env.baseUrl ?? replacedUrl;
  return {
    profile,
    baseUrl: checkBaseUrl(named ?? defaultBaseUrl),
    isDefaultUrl: named === undefined,
    replacedUrl,
  };
}

/**
 * Returns the name of the profile to use.
 *
 * @throws CliError `usage` if the name is invalid
 */
export function profileName(flags: SettingSource, env: SettingSource): string {
  return checkProfileName(flags.profile ?? env.profile ?? defaultProfileName);
}

/**
 * Refuses to send a stored key to a different URL unless the user types that URL. A variable can come with a folder
 * that somebody else filled, and would send the key to them.
 */
function refuseForeignAddress(env: SettingSource, flags: SettingSource, storedUrl: string): void {
  if (flags.baseUrl !== undefined || env.baseUrl === undefined) return;
  if (checkBaseUrl(env.baseUrl) === checkBaseUrl(storedUrl)) return;
  throw new CliError(
    "usage",
    `The stored API key is for ${storedUrl}, but SITEWARD_BASE_URL is a different URL.`,
    "Pass --base-url, also set SITEWARD_API_KEY, or unset SITEWARD_BASE_URL.",
  );
}

function unknownProfile(name: string, profiles: Profiles): CliError {
  const known =
    profiles.size === 0 ? "No profile exists yet." : `Existing profiles: ${[...profiles.keys()].join(", ")}.`;
  const next = `Log in with \`siteward login --profile ${name}\`.`;
  return new CliError("api_key_missing", `Profile "${name}" does not exist. ${known}`, next);
}
