import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { configDirectory } from "./config-directory.ts";
import { formatProfiles, type Profiles, parseProfiles } from "./profiles.ts";

/** The file that holds the profiles, and with them the API keys: nobody but its owner may read it. */
export interface ProfileFile {
  readonly path: string;
  readonly profiles: Profiles;
  /** Whether others than its owner may read it (never said on Windows, where the mode does not tell). */
  readonly isExposed: boolean;
}

/**
 * Reads the profile file; one that does not exist holds no profile.
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
    if (isMissing(error)) return { path, profiles: new Map(), isExposed: false };
    throw error instanceof CliError ? error : unusable(path, error);
  }
}

/**
 * Writes the profile file whole or not at all: folder 0700, file 0600, synced to disk before it takes its place.
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

/** A file kept elsewhere and linked to from here (dotfiles) stays a link. */
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
  // The umask can only take bits away; 0600 is what is promised, also under an odd one.
  await chmod(path, 0o600);
}

function isMissing(error: unknown): boolean {
  // ENOTDIR: a home "directory" such as /dev/null, as some services have.
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function unusable(path: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(
    "settings_unusable",
    `cannot use ${path}: ${reason}`,
    "Set SITEWARD_CONFIG_DIR to a directory that you own.",
  );
}
