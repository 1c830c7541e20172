import { type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { kill, pid, platform } from "node:process";
import { readFreeBytes } from "../dialects/free-bytes.ts";
import { InstallationError } from "../interface/installation-error.ts";

/** A partial file that nobody wrote to for so long has been left behind, whoever wrote it. */
const maxAgeMs = 24 * 3_600_000;

/** A file that is not complete. It is in the folder in which it gets its name, and no other process writes to it. */
export interface PartialFile {
  readonly path: string;
  readonly remove: RemovePartial;
}

/** Removes a partial file, unless it has its name. Returns whether there was one. */
type RemovePartial = () => Promise<boolean>;

export interface PartialOptions {
  readonly now: () => Date;
  /** The endings of the files that the engine writes next to a file that it opens. */
  readonly suffixes: readonly string[];
  /** Called with what removes the partial file, before there is one. */
  readonly onPartial?: (remove: RemovePartial) => void;
}

/**
 * Creates a partial file, which only this user can read. Removes those of the same name that killed processes left behind.
 *
 * @param file the path by which they are known: that of the file, or of all files that one command writes
 */
export async function createPartial(
  file: string,
  { now, suffixes, onPartial = () => undefined }: PartialOptions,
): Promise<PartialFile> {
  await removeAbandoned(file, { now: now(), suffixes });
  const path = join(dirname(file), `${prefixOf(file)}${pid}${suffix}`);
  const remove = () => removeAll(path, suffixes);
  onPartial(remove);
  const handle = await open(path, "wx", 0o600);
  // Whatever the umask of this user.
  await handle.chmod(0o600);
  await handle.close();
  return { path, remove };
}

const suffix = ".partial";

function prefixOf(file: string): string {
  return `.${basename(file)}.${hostname().replace(/[^\w.-]/g, "")}.`;
}

/** Processes of other machines and containers have other host names. */
async function removeAbandoned(
  file: string,
  { now, suffixes }: { readonly now: Date; readonly suffixes: readonly string[] },
): Promise<void> {
  const folder = dirname(file);
  const prefix = prefixOf(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`.${basename(file)}.`) || !name.endsWith(suffix)) continue;
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length, -suffix.length)) : Number.NaN;
    const found = await stat(join(folder, name)).catch(() => undefined);
    const isOld = found !== undefined && now.getTime() - found.mtimeMs > maxAgeMs;
    if (isOld || owner === pid || (Number.isInteger(owner) && !isRunning(owner))) {
      await removeAll(join(folder, name), suffixes);
    }
  }
}

function isRunning(processId: number): boolean {
  try {
    return kill(processId, 0);
  } catch (error) {
    // It runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function removeAll(path: string, suffixes: readonly string[]): Promise<boolean> {
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  for (const ending of ["", ...suffixes]) await rm(`${path}${ending}`, { force: true });
  return isThere;
}

/** After this, the content of a file survives a crash. */
export async function syncFile(path: string): Promise<void> {
  await withHandle(path, (handle) => handle.sync());
}

/** Puts a complete file in its place, which survives a crash from then on. Replaces an existing file only if `replaces` says so. */
export async function putInPlace(
  partial: PartialFile,
  file: string,
  { replaces }: { replaces: boolean },
): Promise<void> {
  await syncFile(partial.path);
  if (replaces) await rename(partial.path, file);
  else await renameToNew(partial.path, file);
  await syncFolder(dirname(file));
}

/** A rename would replace a file that was created meanwhile. Some file systems have no hard links. */
async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!lacksHardLinks(error)) throw error;
    if ((await stat(to).catch(() => undefined)) !== undefined) throw existing(to);
    await rename(from, to);
    return;
  }
  await rm(from);
}

/** Whether a hard link failed because the file system has none. */
export function lacksHardLinks(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(String(error.code))
  );
}

export function existing(file: string): InstallationError {
  return new InstallationError("backup_exists", `The file ${file} exists, and is not replaced.`);
}

/** After this, the names of the files in a folder survive a crash. Windows cannot do it. */
async function syncFolder(folder: string): Promise<void> {
  if (platform === "win32") return;
  await syncFile(folder);
}

async function withHandle(path: string, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, "r");
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

/** @throws InstallationError `no_room` if a file of this size does not fit into the folder */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const freeBytes = await readFreeBytes(folder);
  if (freeBytes === undefined || freeBytes >= bytes) return;
  const [needed, free] = [bytes, freeBytes].map((size) => `${Math.ceil(size / 1e6).toLocaleString("en")} MB`);
  throw new InstallationError("no_room", `${needed} are needed in ${folder}, but ${free} are free.`);
}
