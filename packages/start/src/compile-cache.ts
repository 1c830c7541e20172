import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/**
 * Keeps compiled code between runs in a folder that only this user can change, which saves a fifth of the server's start.
 * Node's own choice is a known name below the system's temporary folder: code that another user puts there would run as
 * this user. Without a safe folder, nothing is kept. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` have the
 * meaning that Node gives them.
 */
export function keepCompileCache({ env, platform, geteuid }: NodeJS.Process): void {
  // Deno may lack this function, although Node's types say that it exists.
  const { enableCompileCache } = module as Partial<typeof module>;
  if (enableCompileCache === undefined || env["NODE_COMPILE_CACHE"] || env["NODE_DISABLE_COMPILE_CACHE"]) return;
  try {
    const wanted = join(cacheRoot(env, platform), "siteward");
    const folder = geteuid === undefined ? wanted : preparePrivateFolder(wanted, geteuid());
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // There is no home, the disk is full, or a file is in the way: the program starts anyway, only more slowly.
  }
}

/** Returns the system's folder for caches (XDG Base Directory Specification; `%LocalAppData%` on Windows). */
function cacheRoot(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  const root = env["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(root) ? root : join(homedir(), ".cache");
}

/**
 * Creates the folder if necessary. The result has no symbolic links. It is undefined if another user could put code
 * there.
 */
function preparePrivateFolder(path: string, userId: number): string | undefined {
  // This is also checked before, so that root creates no folder in the home of a user whose `HOME` it has kept.
  if (!isChangedByUserOnly(existingPart(path), userId)) return undefined;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const status = lstatSync(path);
  if (!status.isDirectory() || status.uid !== userId || (status.mode & 0o077) !== 0) return undefined;
  const folder = realpathSync(path);
  return isChangedByUserOnly(folder, userId) ? folder : undefined;
}

/** Returns the part of a path that exists, without symbolic links. */
function existingPart(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return existingPart(dirname(path));
  }
}

/**
 * Whether only the user and root can replace a folder or one above it. In a sticky folder, users can replace only what
 * they own.
 */
function isChangedByUserOnly(folder: string, userId: number): boolean {
  const { uid, mode } = lstatSync(folder);
  if (uid !== userId && uid !== 0) return false;
  if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) return false;
  return dirname(folder) === folder || isChangedByUserOnly(dirname(folder), userId);
}
