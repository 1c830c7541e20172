import { CliError } from "../errors/cli-error.ts";

/** The place that stores the API key of a profile. */
export type StoredKey =
  | { readonly store: "file"; readonly apiKey: string }
  /** `entry` is the name of the entry in the keyring of the operating system. */
  | { readonly store: "keyring"; readonly entry: string };

/** What one login stored. */
interface Profile {
  readonly key: StoredKey;
  readonly baseUrl: string;
}

/** The content of the profile file. */
export interface Profiles {
  readonly byName: ReadonlyMap<string, Profile>;
  /** The profile that `siteward profiles use` has chosen, if it still exists. */
  readonly current: string | undefined;
}

/** The content of a file that does not exist. */
export const noProfiles: Profiles = { byName: new Map(), current: undefined };

/** The profile that is used if none is named. */
export const defaultProfileName = "default";

/**
 * Parses the content of the profile file.
 *
 * @throws CliError `settings_unusable` if {@link formatProfiles} could not have written it
 */
export function parseProfiles(text: string, path: string): Profiles {
  const file = parseJson(text);
  if (!isObject(file) || !isObject(file["profiles"])) throw unreadable(path);
  const byName = new Map(Object.entries(file["profiles"]).map(([name, entry]) => [name, parseProfile(entry, path)]));
  const current = file["current"];
  return { byName, current: typeof current === "string" && byName.has(current) ? current : undefined };
}

/** Returns the content of the profile file. */
export function formatProfiles({ byName, current }: Profiles): string {
  const entries = [...byName].map(([name, profile]) => [name, formatProfile(profile)]);
  return `${JSON.stringify({ current, profiles: Object.fromEntries(entries) }, undefined, 2)}\n`;
}

/** Returns the profiles with one more, or with another one of this name. */
export function withProfile(profiles: Profiles, name: string, profile: Profile): Profiles {
  return { ...profiles, byName: new Map([...profiles.byName, [name, profile]]) };
}

/** Returns the profiles without one. If it was the current one, none is. */
export function withoutProfile({ byName, current }: Profiles, name: string): Profiles {
  return {
    byName: new Map([...byName].filter(([other]) => other !== name)),
    current: current === name ? undefined : current,
  };
}

/**
 * Checks that a name is up to 64 letters, digits, dots, dashes and underscores, so that it can be typed and read back.
 *
 * @throws CliError `usage`
 */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new CliError(
    "usage",
    `"${name}" is not a valid profile name. ` +
      "Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.",
  );
}

function formatProfile({ key, baseUrl }: Profile): object {
  return key.store === "file"
    ? { api_key: key.apiKey, base_url: baseUrl }
    : { keyring_entry: key.entry, base_url: baseUrl };
}

function parseProfile(entry: unknown, path: string): Profile {
  if (!isObject(entry)) throw unreadable(path);
  const { api_key: apiKey, keyring_entry: keyringEntry, base_url: baseUrl } = entry;
  if (typeof baseUrl !== "string") throw unreadable(path);
  if (typeof apiKey === "string") return { key: { store: "file", apiKey }, baseUrl };
  if (typeof keyringEntry === "string") return { key: { store: "keyring", entry: keyringEntry }, baseUrl };
  throw unreadable(path);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(path: string): CliError {
  return new CliError(
    "settings_unusable",
    `${path} is not a valid profile file.`,
    "Fix or delete it, then log in again.",
  );
}
