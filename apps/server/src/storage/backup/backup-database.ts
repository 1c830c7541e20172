import { lstat, readdir, realpath, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseLocation } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { findOldBackups, hasTime, nameBackup } from "./backup-name.ts";
import { runOnThread } from "./backup-thread.ts";
import { type CopyFacts, describeCopy } from "./describe-copy.ts";
import { type FileLocation, openFileLocation } from "./file-location.ts";
import { recordLastBackup } from "./last-backup.ts";
import {
  createPartial,
  existing,
  type PartialFile,
  type PartialOptions,
  putInPlace,
  requireRoom,
} from "./partial-file.ts";

export interface BackupRequest {
  readonly source: DatabaseLocation;
  /** The path of the backup. Its name may contain `{time}`. */
  readonly file: string;
  /** Whether an existing file is replaced, once the backup is complete. */
  readonly replaces: boolean;
  /** How many backups with this name and a time are kept, with this one. Undefined keeps all. */
  readonly keep: number | undefined;
}

/** `onPartial` is called with what removes the partial file, if the process must end before the backup does. */
export interface BackupListeners extends Required<Omit<PartialOptions, "suffixes">> {
  readonly onProgress: (progress: { step: string; table: string; done: number; total: number }) => void;
}

/** A backup that is complete, and survives a crash. */
export interface Backup extends CopyFacts {
  readonly file: string;
  readonly bytes: number;
  readonly madeAt: Date;
  /** Older backups that were removed. */
  readonly removed: readonly string[];
  /** What failed once the backup was complete, a sentence each without its period. */
  readonly faults: readonly string[];
}

/**
 * Copies a database, which may be in use, into a file. The file gets its name once it is checked and on the disk, so it is never incomplete.
 *
 * @throws InstallationError that says why there is no backup. Then no file was changed.
 */
export async function backUpDatabase(request: BackupRequest, listeners: BackupListeners): Promise<Backup> {
  const source = await openFileLocation(request.source);
  const bytes = await source.engine.measure(source.path);
  const madeAt = listeners.now();
  const file = await requireTarget(request, source, madeAt);
  await requireRoom(dirname(file), bytes);
  // Backups with a time have one name, so that the next one finds what a killed one left behind.
  const name = hasTime(request.file) ? join(dirname(file), basename(request.file)) : file;
  const partial = await createPartial(name, { ...listeners, suffixes: source.engine.suffixes });
  let facts: CopyFacts;
  try {
    facts = await copyAndCheck({ source, partial, madeAt, bytes }, listeners);
    await putInPlace(partial, file, request);
  } catch (error) {
    throw explain(error, file);
  } finally {
    await partial.remove();
  }
  const { size } = await stat(file);
  const faults: string[] = [];
  await recordLastBackup(request.source.databaseUrl, listeners.now()).catch(({ message }: Error) =>
    faults.push(`Its time could not be recorded next to the database: ${message}`),
  );
  const removed: string[] = [];
  await removeOld(request, file, removed).catch(({ message }: Error) =>
    faults.push(`Older ones could not be deleted: ${message}`),
  );
  return { ...facts, file, bytes: size, madeAt, removed, faults };
}

function explain(error: unknown, file: string): unknown {
  const isExisting = error instanceof Error && "code" in error && error.code === "EEXIST";
  return isExisting ? existing(file) : error;
}

/** Returns the path of the backup, after everything that can be refused before there is one. */
async function requireTarget({ file, replaces }: BackupRequest, source: FileLocation, madeAt: Date): Promise<string> {
  const named = resolve(nameBackup(file, madeAt));
  const folder = await realpath(dirname(named)).catch(() => undefined);
  if (folder === undefined)
    throw invalid(`The folder ${dirname(named)} does not exist, or this user may not enter it.`);
  const link = join(folder, basename(named));
  const found = await lstat(link).catch(() => undefined);
  // Through a symbolic link, the file that it names is written.
  const path = found?.isSymbolicLink() ? await realpath(link).catch(() => undefined) : link;
  if (path === undefined) throw invalid(`${link} is a symbolic link to a file that does not exist. Name another file.`);
  if (source.files.includes(path)) throw invalid(`${path} belongs to the database itself. Name another file.`);
  if (found === undefined) return path;
  if (!(await stat(path)).isFile())
    throw invalid(`${path} is not a file. Name a file, such as ${path}/siteward-{time}.db.`);
  if (!replaces) throw existing(path);
  return path;
}

function invalid(message: string): InstallationError {
  return new InstallationError("invalid_backup", message);
}

interface Copying {
  readonly source: FileLocation;
  readonly partial: PartialFile;
  readonly madeAt: Date;
  readonly bytes: number;
}

const progressMs = 100;

async function copyAndCheck(
  { source, partial, madeAt, bytes }: Copying,
  { onProgress }: BackupListeners,
): Promise<CopyFacts> {
  const task = { databaseUrl: source.databaseUrl, path: source.path, copy: { path: partial.path, madeAt } };
  const copied = runOnThread({ ...task, do: "copy" });
  const isDone = copied.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([isDone, sleep(progressMs, false)]))) {
    // A signal may have removed it.
    const { size } = await stat(partial.path).catch(() => ({ size: 0 }));
    onProgress({ step: "copying", table: "megabytes", done: toMegabytes(size), total: toMegabytes(bytes) });
  }
  const result = await copied;
  const checked = await runOnThread({ ...task, do: "check" });
  const faults = "faults" in checked ? checked.faults : [];
  if (faults.length > 0) throw new InstallationError("backup_failed", `The copy is damaged: ${faults.join("; ")}.`);
  const facts = await describeCopy(source.engine, partial.path);
  const counts = "report" in result ? result.report.counts : undefined;
  if (counts !== undefined && (counts.accounts !== facts.accounts || counts.websites !== facts.websites)) {
    const [wanted, got] = [counts, facts].map(
      ({ accounts, websites }) => `${accounts} accounts and ${websites} websites`,
    );
    throw new InstallationError("backup_failed", `The copy has ${got}, but the database has ${wanted}.`);
  }
  return facts;
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
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
