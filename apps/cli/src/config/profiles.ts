import { CliError } from "../errors/cli-error.ts";

/** What one login stored. */
interface Profile {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** All profiles by name. */
export type Profiles = ReadonlyMap<string, Profile>;

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
  return new Map(Object.entries(file["profiles"]).map(([name, entry]) => [name, parseProfile(entry, path)]));
}

/** Returns the content of the profile file. */
export function formatProfiles(profiles: Profiles): string {
  const entries = [...profiles].map(([name, profile]) => [
    name,
    { api_key: profile.apiKey, base_url: profile.baseUrl },
  ]);
  return `${JSON.stringify({ profiles: Object.fromEntries(entries) }, undefined, 2)}\n`;
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
    `"${name}" is not a valid profile name. Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.`,
  );
}

function parseProfile(entry: unknown, path: string): Profile {
  if (!isObject(entry)) throw unreadable(path);
  const { api_key: apiKey, base_url: baseUrl } = entry;
  if (typeof apiKey !== "string" || typeof baseUrl !== "string") throw unreadable(path);
  return { apiKey, baseUrl };
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
