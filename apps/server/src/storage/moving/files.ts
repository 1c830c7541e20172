import { constants } from "node:fs";
import { link, lstat, mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { platform } from "node:process";
import { chooseFileEngine, findDatabaseFile } from "../database/choose-dialect.ts";
import type { DatabaseLocation } from "../database/database.ts";
import type { FileEngine } from "../dialects/file-engine.ts";

/** A database in a file, which may not exist. */
export interface DatabaseFile {
  /** In full, without symbolic links. */
  readonly path: string;
  /** The folder that the URL names. It is another one than that of the path if the file is a symbolic link. */
  readonly folder: string;
  readonly engine: FileEngine;
}

/**
 * Returns the file of a database. Undefined if the database is on a server.
 *
 * @throws InstallationError `invalid_url`
 */
export async function findFile(location: DatabaseLocation): Promise<DatabaseFile | undefined> {
  const path = await findDatabaseFile(location);
  const engine = await chooseFileEngine(location);
  if (path === undefined || engine === undefined) return undefined;
  return { path, folder: dirname(engine.nameOf(location)), engine };
}

/**
 * Acts as the owner of a folder while `work` runs, if this is root. Whoever owns a folder can put links into it at any time: what root
 * writes there could go into any file. It also makes the files theirs. `work` may use what root has opened before.
 *
 * @param folder if it does not exist, the first folder above it that does counts
 */
export async function asOwnerOf<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const { geteuid, getegid, getgroups, seteuid, setegid, setgroups } = process;
  if (geteuid?.() !== 0 || seteuid === undefined) return work();
  const { uid, gid } = await statExisting(folder);
  if (uid === 0) return work();
  const before = { gid: getegid?.() ?? 0, groups: getgroups?.() ?? [] };
  setgroups?.([gid]);
  setegid?.(gid);
  seteuid(uid);
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid?.(before.gid);
    setgroups?.(before.groups);
  }
}

async function statExisting(folder: string): Promise<{ readonly uid: number; readonly gid: number }> {
  const found = await stat(folder).catch(() => undefined);
  return found ?? statExisting(dirname(folder));
}

const prefix = ".siteward-partial-";
/** Such a folder is of a process that was killed. */
const maxAgeMs = 24 * 3_600_000;

interface NewFile {
  /** The endings of the files that the engine writes next to it. None of them may exist: it would belong to the new file. */
  readonly suffixes: readonly string[];
  /** Thrown if the file exists. */
  readonly existing: Error;
}

/**
 * Creates a file that only its user can read. It gets its name once `fill` has filled it and it is on the disk, so it is never
 * incomplete. Until then, it is in a new folder next to its place, which the next call for the same place removes if this process is killed.
 */
export async function createFile<Result>(
  path: string,
  { suffixes, existing }: NewFile,
  fill: (partial: string) => Promise<Result>,
): Promise<Result> {
  const folder = dirname(path);
  for (const ending of ["", ...suffixes]) {
    if ((await lstat(`${path}${ending}`).catch(() => undefined)) !== undefined) throw existing;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  const temporary = await mkdtemp(join(folder, prefix));
  try {
    const partial = join(temporary, basename(path));
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    await (await open(partial, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)).close();
    const result = await fill(partial);
    await sync(partial);
    await renameToNew(partial, path, existing);
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
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** After this, the content of a file, or the names in a folder, survive a crash. */
async function sync(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** A rename would replace a file that was created meanwhile. Some file systems have no hard links. */
async function renameToNew(from: string, to: string, existing: Error): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (hasCode(error, /^EEXIST$/)) throw existing;
    if (!hasCode(error, /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/)) throw error;
    if ((await lstat(to).catch(() => undefined)) !== undefined) throw existing;
    await rename(from, to);
  }
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && "code" in error && pattern.test(String(error.code));
}
