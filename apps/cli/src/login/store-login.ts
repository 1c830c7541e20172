import { randomUUID } from "node:crypto";
import { changeProfileFile } from "../config/change-profile-file.ts";
import type { KeyStoreSetting } from "../config/key-store.ts";
import { type StoredKey, withProfile } from "../config/profiles.ts";
import { askKeyring, mayHaveKeyring } from "../keyring/ask-keyring.ts";
import type { Io } from "../process/io.ts";

/** A login that the service has accepted. */
interface Login {
  readonly profile: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly keyStore: KeyStoreSetting;
}

/** Where a login was stored. */
interface StoredLogin {
  readonly store: StoredKey["store"];
  /** The path of the profile file. */
  readonly path: string;
  /** What a person should know about the keyring, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Stores a login, in the keyring or in the profile file. Each keyring entry is new, and the one it replaces is removed last,
 * so whenever this stops, the profile file names an entry that exists.
 *
 * @throws CliError `settings_unusable`
 */
export async function storeLogin(io: Io, login: Login): Promise<StoredLogin> {
  const { profile, baseUrl, keyStore } = login;
  const { key, problem } = await storeKey(io, login);
  try {
    const { path, before } = await changeProfileFile(io, (profiles) =>
      withProfile(profiles, profile, { key, baseUrl }),
    );
    const leftover = await removeReplaced(io, keyStore, before.byName.get(profile)?.key);
    return { store: key.store, path, problems: [problem, leftover].filter((text) => text !== undefined) };
  } catch (error) {
    await removeReplaced(io, keyStore, key);
    throw error;
  }
}

interface KeptKey {
  readonly key: StoredKey;
  /** Why the key is not in the keyring, although there may be one. */
  readonly problem?: string;
}

async function storeKey(io: Io, { profile, apiKey, keyStore }: Login): Promise<KeptKey> {
  const inFile: StoredKey = { store: "file", apiKey };
  if (keyStore === "file" || (keyStore === "auto" && !mayHaveKeyring(io))) return { key: inFile };
  const entry = `${profile}-${randomUUID()}`;
  try {
    await askKeyring(io, { operation: "write", entry, apiKey });
    return { key: { store: "keyring", entry } };
  } catch (error) {
    if (keyStore === "keyring") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { key: inFile, problem: `${reason} The API key is stored in the profile file instead.` };
  }
}

/** Removes a keyring entry that no profile names. Returns what a person should know if that fails. */
async function removeReplaced(
  io: Io,
  keyStore: KeyStoreSetting,
  key: StoredKey | undefined,
): Promise<string | undefined> {
  if (key?.store !== "keyring") return undefined;
  const leftover = `The API key that was replaced is still in the keyring, as "${key.entry}" of "siteward".`;
  if (keyStore === "file") return leftover;
  try {
    await askKeyring(io, { operation: "remove", entry: key.entry });
    return undefined;
  } catch {
    return leftover;
  }
}
