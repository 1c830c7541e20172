import { warn } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { askKeyring, keyStoreSetting, mayHaveKeyring } from "./keyring.ts";
import { changeProfileFile, type Profile, type ProfileFile, readProfileFile } from "./profiles.ts";
import type { LoginTarget, requireProfile } from "./resolve.ts";
import type { GivenKey } from "./secrets.ts";

/**
 * Returns the API key of a profile, from the keyring if it is stored there.
 *
 * @throws CliError `settings_unusable` if the keyring cannot or must not be used, `api_key_missing` if it does not have
 *   the key
 */
export async function readStoredKey(
  io: Io,
  { name, profile }: ReturnType<typeof requireProfile>,
  { path, isExposed }: ProfileFile,
): Promise<GivenKey> {
  const remedy = `Log in again with \`siteward login --profile ${name}\`.`;
  if ("api_key" in profile) {
    if (isExposed) await warn(io, `Other users can read the API keys in ${path}. Run \`chmod 600 ${path}\`.`);
    return { apiKey: profile.api_key, origin: `profile "${name}" in ${path}`, remedy };
  }
  const key = `The API key of profile "${name}"`;
  if (keyStoreSetting(io) === "file") {
    const next = "Unset SITEWARD_KEY_STORE, or log in again to store the key in the profile file.";
    throw new CliError("settings_unusable", `${key} is in the keyring, which SITEWARD_KEY_STORE=file turns off.`, next);
  }
  const apiKey = await askKeyring(io, { operation: "read", entry: profile.keyring_entry });
  if (apiKey !== null) return { apiKey, origin: `profile "${name}" in the keyring of this system`, remedy };
  throw new CliError("api_key_missing", `${key} is not in the keyring of this system.`, remedy);
}

/** A login that the service has accepted. */
export type Login = Pick<LoginTarget, "name" | "baseUrl"> & Pick<GivenKey, "apiKey">;

/**
 * Stores a login, in the keyring or in the profile file. Each keyring entry is new, and the one it replaces is removed
 * last, so whenever this stops, the profile file names an entry that exists.
 *
 * @returns the store that has the key, and the path of the profile file
 * @throws CliError `settings_unusable`
 */
export async function storeLogin(io: Io, login: Login) {
  const { name, baseUrl: base_url, apiKey: api_key } = login;
  const entry = await storeInKeyring(io, login);
  const stored: Profile = entry === undefined ? { api_key, base_url } : { keyring_entry: entry, base_url };
  let unused: Profile | undefined = stored;
  try {
    const { path, profiles } = await changeProfileFile(io, ({ byName, current }) => ({
      byName: new Map([...byName, [name, stored]]),
      current,
    }));
    unused = profiles.byName.get(name);
    return { store: entry === undefined ? "file" : "keyring", path };
  } finally {
    if (unused !== undefined && "keyring_entry" in unused) await removeUnused(io, unused.keyring_entry);
  }
}

/** Returns the name of the new entry; undefined if the key belongs into the profile file. */
async function storeInKeyring(io: Io, { name, apiKey }: Login): Promise<string | undefined> {
  const setting = keyStoreSetting(io);
  if (setting === "file" || (setting === "auto" && !mayHaveKeyring(io))) return undefined;
  const { randomUUID } = await import("node:crypto");
  const entry = `${name}-${randomUUID()}`;
  try {
    await askKeyring(io, { operation: "write", entry, apiKey });
    return entry;
  } catch (error) {
    if (setting === "keyring" || !(error instanceof CliError)) throw error;
    await warn(io, `${error.message} The API key is stored in the profile file instead.`);
    return undefined;
  }
}

/** Removes a keyring entry that no profile names, or warns of it. */
async function removeUnused(io: Io, entry: string): Promise<void> {
  const mayRemove = keyStoreSetting(io) !== "file";
  const isRemoved = mayRemove && (await askKeyring(io, { operation: "remove", entry }).catch(() => false)) !== false;
  if (isRemoved) return;
  await warn(io, `An API key that no profile uses is still in the keyring, as "${entry}" of "siteward".`);
}

/**
 * Removes a profile and its API key, from the keyring too if it is stored there. With `SITEWARD_KEY_STORE=file`, the
 * keyring keeps its entry, so that a profile can be removed if its keyring is gone.
 *
 * @returns whether the profile existed
 * @throws CliError `settings_unusable` if the keyring does not remove the key. The profile then stays too
 */
export async function removeProfile(io: Io, name: string): Promise<boolean> {
  const { profiles } = await readProfileFile(io);
  const profile = profiles.byName.get(name);
  if (profile === undefined) return false;
  if ("keyring_entry" in profile && keyStoreSetting(io) !== "file")
    await askKeyring(io, { operation: "remove", entry: profile.keyring_entry });
  await changeProfileFile(io, ({ byName, current }) => ({
    byName: new Map([...byName].filter(([other]) => other !== name)),
    current: current === name ? undefined : current,
  }));
  return true;
}
