import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InstallationError } from "../interface/installation-error.ts";
import { renderTime } from "./names.ts";
import { type DatabaseFile, isThere, placeNew } from "./place-file.ts";

export interface Replaced {
  /** The files of the database that was there before, under their new names. */
  readonly set_aside: readonly string[];
  /** Why the database that was there before could not be read. Null if it could, or if there was none. */
  readonly damage: string | null;
}

/**
 * Puts a complete database in the place of another one, which nobody can open meanwhile. First the log of the old one
 * is moved into its file. Then the file gets a second name, and its first name becomes that of the new file, in one
 * step. So at each moment there is a whole database, also if this process is killed.
 */
export async function replaceDatabase({ path, files }: DatabaseFile, partial: string, now: Date): Promise<Replaced> {
  const exists = await isThere(path);
  using lock = exists ? files.lock(path, { movesLog: true }) : undefined;
  const aside = await chooseAside(path, now);
  const setAside: string[] = [];
  const taken = (place: string) => new InstallationError("in_use", `Another process has created ${place}.`);
  const keepsName = exists && (await placeNew(path, aside, taken));
  if (exists) setAside.push(aside);
  for (const suffix of files.suffixes) {
    if (!(await isThere(`${path}${suffix}`))) continue;
    await rename(`${path}${suffix}`, `${aside}${suffix}`);
    setAside.push(`${aside}${suffix}`);
  }
  if (keepsName) await rename(partial, path);
  else await placeNew(partial, path, taken);
  return { set_aside: setAside, damage: lock?.damage ?? null };
}

function asideOf(path: string): string {
  return `${path}.replaced-`;
}

/** A name with the time. In the same second, only one restore gets it as it is. */
async function chooseAside(path: string, now: Date): Promise<string> {
  const first = `${asideOf(path)}${renderTime(now)}`;
  for (let number = 1; ; number += 1) {
    const aside = number === 1 ? first : `${first}-${number}`;
    if (!(await isThere(aside))) return aside;
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
