import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { checkBaseUrl } from "./base-url.ts";
import { checkProfileName, defaultProfileName, type Profile, type Profiles } from "./profiles.ts";
import { cleanApiKey, type GivenKey } from "./secrets.ts";

/** The URL of a service that was started without settings. */
const defaultBaseUrl = "http://127.0.0.1:3000";

/** The settings from one source; undefined if the source does not have them. */
export interface SettingSource {
  readonly key?: GivenKey | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
}

/** Returns the settings in environment variables. An empty variable counts as not set. */
export function environmentSettings({ env }: Io): SettingSource {
  const apiKey = cleanApiKey(env["SITEWARD_API_KEY"] ?? "");
  const remedy = "Set SITEWARD_API_KEY to a valid key, or unset it to use the key of your profile.";
  return {
    key: apiKey === "" ? undefined : { apiKey, origin: "SITEWARD_API_KEY", remedy },
    baseUrl: env["SITEWARD_BASE_URL"] || undefined,
    profile: env["SITEWARD_PROFILE"] || undefined,
  };
}

/**
 * Returns the profile whose key is sent if no other is given, with its name.
 *
 * @throws CliError `api_key_missing` if it does not exist, `usage` if the environment names another service
 */
export function requireProfile(flags: SettingSource, env: SettingSource, profiles: Profiles) {
  const { name, profile } = resolveLogin(flags, env, profiles);
  if (profile === undefined) {
    if (flags.profile !== undefined || env.profile !== undefined)
      throw unknownProfile("api_key_missing", name, profiles);
    throw new CliError("api_key_missing", `No API key was found.${listProfiles(profiles)}`, howToGetKey);
  }
  if (flags.baseUrl === undefined) refuseForeignAddress(env, profile.base_url);
  return { name, profile };
}

/** The service that is called, and the profile whose key is for it. A login stores its key there. */
export interface LoginTarget {
  /** The name of the profile. */
  readonly name: string;
  /** The profile with this name, if it exists. A login replaces it. */
  readonly profile: Profile | undefined;
  readonly baseUrl: string;
  /** Whether nothing names the URL. */
  readonly isDefaultUrl: boolean;
}

/**
 * Resolves each setting on its own: a flag overrides the environment, which overrides the profile. The profile need not
 * exist.
 *
 * @throws CliError `usage` if a value is invalid
 */
export function resolveLogin(flags: SettingSource, env: SettingSource, profiles: Profiles): LoginTarget {
  const name = profileName(flags, env, profiles);
  const profile = profiles.byName.get(name);
  const baseUrl = flags.baseUrl ?? env.baseUrl ?? profile?.base_url;
  return { name, profile, baseUrl: checkBaseUrl(baseUrl ?? defaultBaseUrl), isDefaultUrl: baseUrl === undefined };
}

/**
 * Returns the name of the profile to use: that of a flag, else of the environment, else the current one.
 *
 * @throws CliError `usage` if the name is invalid
 */
export function profileName(flags: SettingSource, env: SettingSource, { current }: Profiles): string {
  return checkProfileName(flags.profile ?? env.profile ?? current ?? defaultProfileName);
}

/**
 * Refuses to send a stored key to a different URL unless the user types that URL. A variable can come with a folder
 * that somebody else filled, and would send the key to them.
 */
function refuseForeignAddress(env: SettingSource, storedUrl: string): void {
  if (env.baseUrl === undefined || checkBaseUrl(env.baseUrl) === checkBaseUrl(storedUrl)) return;
  throw new CliError(
    "usage",
    `The stored API key is for ${storedUrl}, but SITEWARD_BASE_URL is a different URL.`,
    "Pass --base-url, also set SITEWARD_API_KEY, or unset SITEWARD_BASE_URL.",
  );
}

const howToGetKey = "Log in with `siteward login`, or set SITEWARD_API_KEY.";

/** Returns the error about a profile that does not exist. By default, it says to log in. */
export function unknownProfile(
  code: "api_key_missing" | "not_found",
  name: string,
  profiles: Profiles,
  next = `Log in with \`siteward login --profile ${name}\`.`,
): CliError {
  return new CliError(code, `Profile "${name}" does not exist.${listProfiles(profiles)}`, next);
}

function listProfiles({ byName }: Profiles): string {
  const names = [...byName.keys()].sort().join(", ");
  return names === "" ? "" : ` Existing profiles: ${names}. Choose one with --profile or \`siteward profiles use\`.`;
}
