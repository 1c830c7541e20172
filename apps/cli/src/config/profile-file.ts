import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { configDirectory } from "./config-directory.ts";
import { formatProfiles, noProfiles, type Profiles, parseProfiles } from "./profiles.ts";

/** The file that stores the profiles with their API keys. Only its owner should be able to read it. */
export interface ProfileFile {
  readonly path: string;
  readonly profiles: Profiles;
  /** Whether other users can read it. Always false on Windows, where the file mode does not tell. */
  readonly isExposed: boolean;
}

/**
 * Reads the profile file. A file that does not exist has no profiles.
 *
 * @throws CliError `settings_unusable`
 */
export async function readProfileFile(io: Io): Promise<ProfileFile> {
  const path = join(configDirectory(io), "profiles.json");
  try {
    const text = await readFile(path, "utf8");
    const { mode } = await stat(path);
    return { path, profiles: parseProfiles(text, path), isExposed: io.platform !== "win32" && (mode & 0o077) !== 0 };
  } catch (error) {
    if (isMissing(error)) return { path, profiles: noProfiles, isExposed: false };
    throw error instanceof CliError ? error : unusable(path, error);
  }
}

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

function isMissing(error: unknown): boolean {
  // ENOTDIR: the home directory is a file such as /dev/null, as for some service users.
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function unusable(path: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(
    "settings_unusable",
    `Cannot use ${path}: ${reason}.`,
    "Set SITEWARD_CONFIG_DIR to a directory that you own.",
  );
}
