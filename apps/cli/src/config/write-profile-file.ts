import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing, unusable } from "./profile-file.ts";
import { formatProfiles, type Profiles } from "./profiles.ts";

/**
 * Replaces the profile file atomically: folder mode 0700, file mode 0600, synced to disk before the rename.
 *
 * @throws CliError `settings_unusable`
 */
export async function writeProfileFile(path: string, profiles: Profiles): Promise<void> {
  try {
    await replaceFile(path, formatProfiles(profiles));
  } catch (error) {
    throw unusable(path, error);
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const target = await followLink(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(draft, text);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Follows a symbolic link, as dotfile setups use, so that the link stays and its target is replaced. */
async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  // The umask can only remove bits. Under an unusual one, the file would have less than the promised 0600.
  await chmod(path, 0o600);
}
