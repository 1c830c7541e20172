import { readdir, realpath, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseLocation } from "../engine/database.ts";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import { recordLastBackup, recordOf } from "./last-backup.ts";
import { findOldBackups, nameBackup } from "./names.ts";
import {
  asOwnerOf,
  createFile,
  type DatabaseFile,
  invalidBackup as invalid,
  placeNew,
  requireDatabaseFile,
  requireNew,
  requireRoom,
} from "./place-file.ts";
import { type CopyFacts, readCopy } from "./read-copy.ts";

export interface BackupRequest {
  readonly source: DatabaseLocation;
  /** The path of the backup. Its name may contain `{time}`. */
  readonly file: string;
  /** How many backups with this name and a time are kept, with this one. Undefined keeps all. */
  readonly keep: number | undefined;
}

/** A backup that is complete, and survives a crash. */
export interface Backup extends CopyFacts {
  readonly file: string;
  readonly bytes: number;
  readonly removed: readonly string[];
  /** What failed once the backup was complete, a sentence each without its period. */
  readonly faults: readonly string[];
}

/**
 * Copies a database, which may be in use, into a file. The file gets its name once it is checked and on the disk, so it
 * is never incomplete.
 *
 * @throws InstallationError that says why there is no backup. Then no file was changed.
 */
export async function backUpDatabase(request: BackupRequest, now: () => Date): Promise<Backup> {
  const source = await requireDatabaseFile(request.source);
  const madeAt = now();
  // As it is named: whoever owns a link in it can lead it anywhere.
  const name = resolve(nameBackup(request.file, madeAt));
  const file = await requireTarget(name, source);
  const facts = await copySource(source, { name, file, madeAt }).catch((error: unknown) => {
    if (error instanceof InstallationError) throw error;
    throw new InstallationError("backup_failed", `The backup could not be made: ${reasonOf(error)}.`, error);
  });
  const { size } = await stat(file);
  const faults: string[] = [];
  const recording = asOwnerOf(source.name, () => recordLastBackup(source.path, now()));
  await recording.catch(({ message }: Error) =>
    faults.push(`Its time could not be recorded next to the database: ${message}`),
  );
  const removed: string[] = [];
  await asOwnerOf(name, () => removeOld(request, file, removed)).catch(({ message }: Error) =>
    faults.push(`Older ones could not be deleted: ${message}`),
  );
  return { ...facts, file, bytes: size, made_at: madeAt.toISOString(), removed, faults };
}

async function requireTarget(name: string, { path, files }: DatabaseFile): Promise<string> {
  const folder = await realpath(dirname(name)).catch(() => undefined);
  if (folder === undefined) throw invalid(`The folder ${dirname(name)} does not exist, or this user may not enter it.`);
  const target = join(folder, basename(name));
  const own = [path, ...files.suffixes.map((suffix) => `${path}${suffix}`), recordOf(path)];
  if (own.includes(target)) throw invalid(`${target} belongs to the database itself. Name another file.`);
  return target;
}

/** The database is read as its owner, and the backup is written as the owner of its folder. */
async function copySource(
  { path, name: sourceName, files, engine }: DatabaseFile,
  { name, file, madeAt }: { readonly name: string; readonly file: string; readonly madeAt: Date },
): Promise<CopyFacts> {
  const source = await asOwnerOf(sourceName, () => files.open(path));
  const damaged = (faults: string) => new InstallationError("backup_failed", `The copy is damaged: ${faults}.`);
  const existing = (found: string) =>
    new InstallationError("backup_exists", `The file ${found} exists, and is not replaced.`);
  const copy = async (partial: string) => {
    source.copyInto(partial, madeAt);
    return await readCopy({ files, engine }, partial, damaged);
  };
  try {
    return await asOwnerOf(name, async () => {
      await requireNew(file, files.suffixes, existing);
      await requireRoom(dirname(file), source.bytes);
      return await createFile(file, copy, (partial) => placeNew(partial, file, existing));
    });
  } finally {
    await asOwnerOf(sourceName, async () => source[Symbol.dispose]());
  }
}

/** Only once the new backup is complete. Adds each that is removed to `removed`. */
async function removeOld({ file, keep }: BackupRequest, made: string, removed: string[]): Promise<void> {
  if (keep === undefined) return;
  const folder = dirname(made);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of findOldBackups(names, { pattern: basename(file), made: basename(made), keep })) {
    await unlink(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      // Another backup may just have removed it.
      if (error.code !== "ENOENT") throw error;
    });
    removed.push(join(folder, name));
  }
}
