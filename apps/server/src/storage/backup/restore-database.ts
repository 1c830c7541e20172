import { createReadStream } from "node:fs";
import { chmod, chown, lstat, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { geteuid } from "node:process";
import type { DatabaseLocation } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { migrations } from "../migrations/migrations.ts";
import { requireKnownVersion } from "../migrations/schema-version.ts";
import { runOnThread } from "./backup-thread.ts";
import { type CopyFacts, describeCopy } from "./describe-copy.ts";
import { type FileLocation, openFileLocation } from "./file-location.ts";
import { createPartial, type PartialFile, type PartialOptions, requireRoom, syncFile } from "./partial-file.ts";
import { removeHalfDone, replaceDatabase } from "./replace-database.ts";

export interface RestoreRequest {
  readonly target: DatabaseLocation;
  /** The path of the backup. */
  readonly file: string;
}

/** `onPartial` is called with what removes the partial file, if the process must end before the restore does. */
export type RestoreListeners = Required<Omit<PartialOptions, "suffixes">>;

export interface Restore extends CopyFacts {
  /** The path of the database. */
  readonly database: string;
  /** The files of the database that was there before, under their new names. */
  readonly setAside: readonly string[];
  /** Why the database that was there before could not be read. Undefined if it could, or if there was none. */
  readonly damage: string | undefined;
}

/**
 * Replaces a database by a backup. The database that was there before is set aside, and never overwritten. At each moment, one of both is
 * in place.
 *
 * @throws InstallationError that says why nothing was restored. Then the database that was there is still in place.
 */
export async function restoreDatabase(
  { target, file }: RestoreRequest,
  { onPartial, now }: RestoreListeners,
): Promise<Restore> {
  const database = await openFileLocation(target);
  await requireNoDeadLink(database, target.setting);
  const source = await requireBackup(file, database);
  await requireUnused(database, database.path);
  const startedAt = now();
  await mkdir(dirname(database.path), { recursive: true, mode: 0o700 });
  await removeHalfDone(database.path);
  await requireRoom(dirname(database.path), source.bytes);
  const partial = await createPartial(database.path, { onPartial, now, suffixes: database.engine.suffixes });
  try {
    const facts = await copyBackup(source.path, database, { partial, startedAt });
    const { setAside, damage } = await replaceDatabase(database, partial, startedAt);
    return { ...facts, database: database.path, setAside, damage };
  } finally {
    await partial.remove();
  }
}

/** The path has no other links: a restore would find that something is in the place of the new file. */
async function requireNoDeadLink({ path }: FileLocation, setting: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return;
  throw new InstallationError(
    "invalid_url",
    `${setting} names ${path}, a symbolic link to a file that does not exist. Name that file.`,
  );
}

async function requireBackup(file: string, database: FileLocation): Promise<{ path: string; bytes: number }> {
  const path = await realpath(file).catch(() => undefined);
  if (path === undefined) throw invalid(`The backup ${file} does not exist, or this user may not read it.`);
  const found = await stat(path);
  const existing = await stat(database.path).catch(() => undefined);
  const isSame = existing?.ino === found.ino && existing.dev === found.dev;
  if (isSame || database.files.includes(path)) throw invalid(`${path} belongs to the database itself. Name a backup.`);
  if (!found.isFile()) throw invalid(`${path} is not a file. Name a backup.`);
  if (found.size === 0) throw invalid(`${path} is empty. Name another backup.`);
  for (const suffix of database.engine.suffixes) {
    const log = await stat(`${path}${suffix}`).catch(() => undefined);
    if (log === undefined || log.size === 0 || suffix === "-shm") continue;
    throw invalid(
      `${path} is not a backup: ${path}${suffix} has changes that are not in the file. ` +
        "Make a backup of it with `siteward-server backup`, and restore that.",
    );
  }
  await requireUnused(database, path);
  return { path, bytes: found.size };
}

function invalid(message: string): InstallationError {
  return new InstallationError("invalid_backup", message);
}

/**
 * Refuses before the backup is copied, and says who uses the database. The lock refuses whoever opens it later. A backup that is in use is
 * a database: a copy of its file can be damaged without a sign.
 */
async function requireUnused({ engine }: FileLocation, path: string): Promise<void> {
  const users = await engine.findUsers(path);
  if (users.length === 0) return;
  const processes = `${users.length === 1 ? "process" : "processes"} ${users.join(", ")}`;
  throw new InstallationError("in_use", `The database ${path} is open in ${processes}.`);
}

interface Copying {
  readonly partial: PartialFile;
  readonly startedAt: Date;
}

const chunkBytes = 1024 * 1024;

/** Copies a backup next to the database, and checks the copy: that is what will be used. */
async function copyBackup(source: string, database: FileLocation, { partial, startedAt }: Copying): Promise<CopyFacts> {
  const { engine, path, databaseUrl } = database;
  // `copyFile` would first give it the permissions of the backup, which other users may read. And nothing creates a partial file that
  // a signal has removed.
  await writeFile(partial.path, createReadStream(source, { highWaterMark: chunkBytes }), { flag: "r+" });
  const task = { databaseUrl, path, copy: { path: partial.path, madeAt: startedAt } };
  const checked = await runOnThread({ ...task, do: "check" }).catch((error: unknown) => {
    throw damaged(source, error instanceof Error ? [error.message.replace(/\.$/, "")] : []);
  });
  if ("faults" in checked && checked.faults.length > 0) throw damaged(source, checked.faults);
  const facts = await describeCopy(engine, partial.path).catch((error: unknown) => {
    if (!(error instanceof InstallationError)) throw error;
    throw new InstallationError(error.code, error.message.replaceAll(partial.path, source), error);
  });
  requireKnownVersion(facts.version, migrations);
  engine.prepare(partial.path);
  await giveToOwner(partial.path, path);
  // Servers that are starting wait for the lock, and it is not taken yet.
  await syncFile(partial.path);
  return facts;
}

function damaged(source: string, faults: readonly string[]): InstallationError {
  return invalid(`${source} cannot be restored: ${faults.join("; ")}. Nothing was changed. Use another backup.`);
}

/** Whoever owned the database, or its folder if there is none, must be able to use it. Only root can give files away. */
async function giveToOwner(copy: string, database: string): Promise<void> {
  const before = await stat(database).catch(() => undefined);
  if (before !== undefined) await chmod(copy, before.mode & 0o777);
  const user = geteuid?.();
  if (user === undefined) return;
  const owner = before ?? (await stat(dirname(database)));
  if (user === 0) await chown(copy, owner.uid, owner.gid);
  else if (before !== undefined && before.uid !== user) {
    throw new InstallationError(
      "read_only",
      `The database ${database} belongs to user ${before.uid}, and this is user ${user}. Run the command as that user, or as root.`,
    );
  }
}
