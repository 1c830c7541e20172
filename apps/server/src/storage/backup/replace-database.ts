import { link, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { FileLock } from "../dialects/file-engine.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { renderTime } from "./backup-name.ts";
import type { FileLocation } from "./file-location.ts";
import { lacksHardLinks, type PartialFile, putInPlace } from "./partial-file.ts";

interface Replaced {
  /** The files that were there before, under their new names. */
  readonly setAside: readonly string[];
  readonly damage: string | undefined;
}

/**
 * Puts a complete database in the place of another one, which nobody can open meanwhile. First the log of the old one is moved into its
 * file. Then the file gets a second name, and its first name becomes that of the new file, in one step. So at each moment there is a whole
 * database, also if this process is killed.
 */
export async function replaceDatabase(database: FileLocation, partial: PartialFile, now: Date): Promise<Replaced> {
  const { path, engine } = database;
  const exists = (await stat(path).catch(() => undefined)) !== undefined;
  using lock: FileLock = exists
    ? engine.lock(path)
    : { damage: undefined, read: undefined, [Symbol.dispose]: () => undefined };
  const aside = await chooseAside(path, now);
  const setAside: string[] = [];
  const replaces = exists && (await addName(path, aside));
  if (exists) setAside.push(aside);
  for (const suffix of engine.suffixes) {
    if (await moveAside(`${path}${suffix}`, `${aside}${suffix}`)) setAside.push(`${aside}${suffix}`);
  }
  await putInPlace(partial, path, { replaces }).catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isTaken ? new InstallationError("in_use", `Another process has created ${path}.`, error) : error;
  });
  return { setAside, damage: lock.damage };
}

function asideOf(path: string): string {
  return `${path}.replaced-`;
}

/** A name with the time. In the same second, only one restore gets it as it is. */
async function chooseAside(path: string, now: Date): Promise<string> {
  const first = `${asideOf(path)}${renderTime(now)}`;
  for (let number = 1; ; number += 1) {
    const aside = number === 1 ? first : `${first}-${number}`;
    if ((await stat(aside).catch(() => undefined)) === undefined) return aside;
  }
}

/** Returns whether the file still has its first name, which it has not if the file system has no hard links. */
async function addName(path: string, aside: string): Promise<boolean> {
  try {
    await link(path, aside);
    return true;
  } catch (error) {
    if (!lacksHardLinks(error)) throw error;
    await rename(path, aside);
    return false;
  }
}

async function moveAside(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Removes the second name that a restore gave to the database before it was killed. Its file is in place. */
export async function removeHalfDone(path: string): Promise<void> {
  const database = await stat(path).catch(() => undefined);
  if (database === undefined || database.nlink === 1) return;
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(asideOf(path)))) continue;
    const { ino, dev } = await stat(join(folder, name));
    if (ino === database.ino && dev === database.dev) await rm(join(folder, name));
  }
}
