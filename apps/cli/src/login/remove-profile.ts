import { changeProfileFile } from "../config/change-profile-file.ts";
import { keyStoreSetting } from "../config/key-store.ts";
import { readProfileFile } from "../config/profile-file.ts";
import { type StoredKey, withoutProfile } from "../config/profiles.ts";
import { CliError } from "../errors/cli-error.ts";
import { askKeyring } from "../keyring/ask-keyring.ts";
import type { Io } from "../process/io.ts";

/**
 * Removes a profile and its API key, from the keyring too if it is stored there. With `SITEWARD_KEY_STORE=file`, the keyring
 * keeps its entry, so that a profile can be removed if its keyring is gone.
 *
 * @returns whether the profile existed
 * @throws CliError `settings_unusable` if the keyring does not remove the key. The profile then stays too
 */
export async function removeProfile(io: Io, name: string): Promise<boolean> {
  const { profiles } = await readProfileFile(io);
  const profile = profiles.byName.get(name);
  if (profile === undefined) return false;
  await removeKey(io, profile.key);
  await changeProfileFile(io, (latest) => withoutProfile(latest, name));
  return true;
}

async function removeKey(io: Io, key: StoredKey): Promise<void> {
  if (key.store === "file" || keyStoreSetting(io) === "file") return;
  try {
    await askKeyring(io, { operation: "remove", entry: key.entry });
  } catch (error) {
    throw new CliError(
      "settings_unusable",
      `Nothing was removed. ${error instanceof Error ? error.message : String(error)}`,
      "Unlock it and repeat the command. To remove only the profile, set SITEWARD_KEY_STORE=file.",
    );
  }
}
