import { link, lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { platform } from "node:process";
import { chooseEngine } from "../engine/choose-engine.ts";
import type { DatabaseLocation, Engine } from "../engine/database.ts";
import { type FilePlace, type MovableFiles, readFreeBytes } from "../engine/movable-files.ts";
import { InstallationError } from "../interface/installation-error.ts";

/** A database in a file, which may not exist. */
export interface DatabaseFile extends FilePlace {
  readonly files: MovableFiles;
  readonly engine: Engine;
}

/** Returns the file of a database. Undefined if the database is on a server. @throws InstallationError `invalid_url` */
export async function findFile(location: DatabaseLocation): Promise<DatabaseFile | undefined> {
  const engine = await chooseEngine(location);
  const { files } = engine;
  return files && { ...(await files.locate(location)), files, engine };
}

/** @throws InstallationError `invalid_url` if the database is on a server */
export async function requireDatabaseFile(location: DatabaseLocation): Promise<DatabaseFile> {
  const file = await findFile(location);
  if (file !== undefined) return file;
  throw new InstallationError(
    "invalid_url",
    `${location.setting} is a PostgreSQL database. Use its own tools, such as pg_dump and pg_restore: docs/backup.md has the lines.`,
  );
}

export function invalidBackup(message: string): InstallationError {
  return new InstallationError("invalid_backup", message);
}

/**
 * Acts as the owner of a file while `work` runs, if this is root. Whoever owns a folder can put links into it at any
 * time: what root writes there could go into any file. It also makes new files theirs. `work` may use what root has
 * opened before.
 *
 * @param path of a file that may not exist. Its owner is the first user but root who owns a folder above it, a link, or
 * the file.
 */
export async function asOwnerOf<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const { geteuid, getegid, getgroups, seteuid, setegid, setgroups } = process;
  const owner = geteuid?.() === 0 ? await findOwner(path) : undefined;
  if (owner === undefined) return work();
  const before = { gid: getegid?.() ?? 0, groups: getgroups?.() ?? [] };
  try {
    setgroups?.([owner.gid]);
    setegid?.(owner.gid);
    seteuid?.(owner.uid);
    return await work();
  } finally {
    seteuid?.(0);
    setegid?.(before.gid);
    setgroups?.(before.groups);
  }
}

async function findOwner(path: string): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  const real = await realpath(path).catch(() => realpath(dirname(path)).catch(() => path));
  for (const place of [...placesOf(path), ...placesOf(real)]) {
    const found = await lstat(place).catch(() => undefined);
    if (found !== undefined && found.uid !== 0) return found;
  }
  return undefined;
}

/** Returns a path after all folders above it. */
function placesOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [...placesOf(folder), path];
}

const prefix = ".siteward-partial-";
/** Such a folder is of a process that was killed. */
const maxAgeMs = 24 * 3_600_000;

/**
 * Creates a file that only its user can read. It is put in its place once `fill` has filled it and it is on the disk,
 * so it is never incomplete. Until then, it is in a new folder next to its place. The next call for a file there
 * removes it if this process is killed.
 *
 * @returns what `fill` returns
 */
export async function createFile<Result>(
  path: string,
  fill: (partial: string) => Promise<Result>,
  place: (partial: string) => Promise<unknown>,
): Promise<Result> {
  const folder = dirname(path);
  await removeAbandoned(folder);
  const temporary = await mkdtemp(join(folder, prefix));
  try {
    const partial = join(temporary, basename(path));
    // Also of a link, it says that it exists.
    await (await open(partial, "wx", 0o600)).close();
    const result = await fill(partial);
    await sync(partial);
    await place(partial);
    // Windows cannot do it.
    if (platform !== "win32") await sync(folder);
    return result;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < maxAgeMs) continue;
    // That of another user may stay.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** After this, the content of a file, or the names in a folder, survive a crash. */
async function sync(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Creates a folder for this user alone, and those above it, if it does not exist. */
export async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Refuses a place that has a file, or next to which the engine would find a file that it takes for one of its own. */
export async function requireNew(
  path: string,
  suffixes: readonly string[],
  existing: (path: string) => Error,
): Promise<void> {
  for (const ending of ["", ...suffixes]) {
    if (await isThere(`${path}${ending}`)) throw existing(`${path}${ending}`);
  }
}

/**
 * Puts a file where none is: a rename would replace one that came meanwhile. Some file systems have no hard links.
 *
 * @returns whether the file still has its other name too
 */
export async function placeNew(file: string, path: string, existing: (path: string) => Error): Promise<boolean> {
  try {
    await link(file, path);
    return true;
  } catch (error) {
    if (await isThere(path)) throw existing(path);
    if (!lacksHardLinks(error)) throw error;
    await rename(file, path);
    return false;
  }
}

/** Whether a hard link failed because the file system has none. */
function lacksHardLinks(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(code);
}

export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** @throws InstallationError `no_room` if a file of this size does not fit into the folder */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const freeBytes = await readFreeBytes(folder);
  if (freeBytes === undefined || freeBytes >= bytes) return;
  const [needed, free] = [bytes, freeBytes].map((size) => `${Math.ceil(size / 1e6).toLocaleString("en")} MB`);
  throw new InstallationError("no_room", `${needed} are needed in ${folder}, but ${free} are free.`);
}
