import { randomUUID } from "node:crypto";
import { open, realpath, rename, rm } from "node:fs/promises";

/**
 * Writes a file atomically, and syncs it to disk: whoever reads it sees the earlier content or the new one, complete. A symbolic
 * link stays, as dotfile setups use, and its target is replaced.
 *
 * @param mode the permissions of the file; without it, those of any new file
 * @throws NodeJS.ErrnoException
 */
export async function replaceFile(path: string, content: string | AsyncIterable<string>, mode?: number): Promise<void> {
  const target = await followLink(path);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(draft, content, mode);
    await rename(draft, target);
  } catch (error) {
    // The first error says what is wrong. Its cause can also keep the draft from being removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return path;
    throw error;
  }
}

async function writeSynced(path: string, content: string | AsyncIterable<string>, mode?: number): Promise<void> {
  await using file = await open(path, "wx", mode);
  // Under an unusual umask, the file would have less than these permissions.
  if (mode !== undefined) await file.chmod(mode);
  await file.writeFile(content);
  await file.sync();
}
