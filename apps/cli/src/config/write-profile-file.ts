import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "../files/replace-file.ts";
import { unusable } from "./profile-file.ts";
import { formatProfiles, type Profiles } from "./profiles.ts";

/**
 * Replaces the profile file atomically: folder mode 0700, file mode 0600, synced to disk before the rename.
 *
 * @throws CliError `settings_unusable`
 */
export async function writeProfileFile(path: string, profiles: Profiles): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await replaceFile(path, formatProfiles(profiles), 0o600);
  } catch (error) {
    throw unusable(path, error);
  }
}
