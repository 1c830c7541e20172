import { CliError } from "../errors/cli-error.ts";
import { checkBaseUrl } from "./check-base-url.ts";
import { checkProfileName, defaultProfileName, type Profiles, type StoredKey } from "./profiles.ts";

/** The URL of a service that was started without settings. */
const defaultBaseUrl = "http://127.0.0.1:3000";

/** The settings from one source; undefined if the source does not have them. */
export interface SettingSource {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
}

/** An API key, and which setting it comes from. */
export type KeySource =
  | { readonly from: "flag" | "environment"; readonly apiKey: string }
  | { readonly from: "profile"; readonly profile: string; readonly key: StoredKey };

/** The settings that a command runs with. */
interface Settings {
  readonly key: KeySource;
  readonly baseUrl: string;
}

/**
 * Resolves each setting on its own: a flag overrides the environment, which overrides the profile.
 *
 * @throws CliError `usage` if a value is invalid, `api_key_missing` if nothing has a key
 */
export function resolveSettings(flags: SettingSource, env: SettingSource, profiles: Profiles): Settings {
  const profile = profileName(flags, env, profiles);
  const stored = profiles.byName.get(profile);
  const given = givenKey(flags, env);
  if (given === undefined && stored !== undefined) refuseForeignAddress(env, flags, stored.baseUrl);
  const key = given ?? (stored && { from: "profile", profile, key: stored.key });
  if (key === undefined) {
    const isNamed = flags.profile !== undefined || env.profile !== undefined;
    throw isNamed ? unknownProfile("api_key_missing", profile, profiles) : missingKey(profiles);
  }
  return { key, baseUrl: checkBaseUrl(flags.baseUrl ?? env.baseUrl ?? stored?.baseUrl ?? defaultBaseUrl) };
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
  const profile = profileName(flags, env, profiles);
  const replacedUrl = profiles.byName.get(profile)?.baseUrl;
  const named = flags.baseUrl ?? env.baseUrl ?? replacedUrl;
  return {
    profile,
    baseUrl: checkBaseUrl(named ?? defaultBaseUrl),
    isDefaultUrl: named === undefined,
    replacedUrl,
  };
}

/**
 * Returns the name of the profile to use: that of a flag, else of the environment, else the current one.
 *
 * @throws CliError `usage` if the name is invalid
 */
export function profileName(flags: SettingSource, env: SettingSource, { current }: Profiles): string {
  return checkProfileName(flags.profile ?? env.profile ?? current ?? defaultProfileName);
}

/** Returns the error about a profile that does not exist, which a login would create. It lists those that do. */
export function unknownProfile(code: "api_key_missing" | "not_found", name: string, profiles: Profiles): CliError {
  const next = `Log in with \`siteward login --profile ${name}\`.`;
  return new CliError(code, describeUnknown(name, profiles), next);
}

/** Returns the error about a profile to remove that does not exist. It lists those that do. */
export function unknownProfileToRemove(name: string, profiles: Profiles): CliError {
  const next = profiles.byName.size === 0 ? undefined : "List the profiles with `siteward profiles list`.";
  return new CliError("not_found", describeUnknown(name, profiles), next);
}

function describeUnknown(name: string, profiles: Profiles): string {
  const names = sortedNames(profiles);
  const known = names.length === 0 ? "No profile exists yet." : `Existing profiles: ${names.join(", ")}.`;
  return `Profile "${name}" does not exist. ${known}`;
}

function givenKey(flags: SettingSource, env: SettingSource): KeySource | undefined {
  if (flags.apiKey !== undefined) return { from: "flag", apiKey: flags.apiKey };
  return env.apiKey === undefined ? undefined : { from: "environment", apiKey: env.apiKey };
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

function missingKey(profiles: Profiles): CliError {
  const names = sortedNames(profiles);
  const [first] = names;
  const next = "Log in with `siteward login`, or set SITEWARD_API_KEY.";
  if (first === undefined) return new CliError("api_key_missing", "No API key was found.", next);
  return new CliError(
    "api_key_missing",
    `No API key was found, because no profile is chosen. Existing profiles: ${names.join(", ")}.`,
    `Choose one with --profile, or for all commands with \`siteward profiles use ${first}\`.`,
  );
}

function sortedNames({ byName }: Profiles): readonly string[] {
  return [...byName.keys()].sort();
}
