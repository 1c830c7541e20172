import { chmod, lstat, open, realpath, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { geteuid } from "node:process";
import type { DatabaseLocation } from "../engine/database.ts";
import { missingAfter } from "../engine/migrate.ts";
import { migrations } from "../engine/schema.ts";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import {
  asOwnerOf,
  createFile,
  createFolder,
  type DatabaseFile,
  invalidBackup as invalid,
  isThere,
  requireDatabaseFile,
  requireRoom,
} from "./place-file.ts";
import { type CopyFacts, readCopy } from "./read-copy.ts";
import { type Replaced, removeHalfDone, replaceDatabase } from "./replace-database.ts";

export interface Restore extends Omit<CopyFacts, "made_at">, Replaced {
  readonly database: string;
  readonly backup_made_at: string | null;
}

/**
 * Replaces a database by a backup. The database that was there before is set aside, and never overwritten. At each
 * moment, one of both is in place.
 *
 * @throws InstallationError that says why nothing was restored. Then the database that was there is still in place.
 */
export async function restoreDatabase(target: DatabaseLocation, file: string, now: () => Date): Promise<Restore> {
  const database = await requireDatabaseFile(target);
  await requireNoDeadLink(database, target.setting);
  await using backup = await openBackup(file, database);
  return await asOwnerOf(database.name, async () => {
    const startedAt = now();
    await createFolder(dirname(database.path));
    // Refuses before the backup is copied. The lock of the replacement refuses whoever opens the database later.
    if (await isThere(database.path)) database.files.lock(database.path, { movesLog: false })[Symbol.dispose]();
    await removeHalfDone(database.path);
    await requireRoom(dirname(database.path), backup.bytes);
    let replaced: Replaced = { set_aside: [], damage: null };
    const { made_at: backup_made_at, ...facts } = await createFile(
      database.path,
      (partial) => copyBackup(backup, database, partial),
      async (partial) => {
        replaced = await replaceDatabase(database, partial, startedAt);
      },
    );
    return { ...facts, ...replaced, backup_made_at, database: database.path };
  }).catch((error: unknown) => {
    if (error instanceof InstallationError) throw error;
    throw new InstallationError("restore_failed", `The backup could not be restored: ${reasonOf(error)}.`, error);
  });
}

/** The path has no other links: a restore would find that something is in the place of the new file. */
async function requireNoDeadLink({ path }: DatabaseFile, setting: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return;
  throw new InstallationError(
    "invalid_url",
    `${setting} names ${path}, a symbolic link to a file that does not exist. Name that file.`,
  );
}

/** Opened by the user of the command, who may read what the owner of the database may not. */
async function openBackup(file: string, { path: database, files }: DatabaseFile) {
  const path = await realpath(file).catch(() => undefined);
  if (path === undefined) throw invalid(`The backup ${file} does not exist, or this user may not read it.`);
  const found = await stat(path);
  const existing = await stat(database).catch(() => undefined);
  const isSame = existing?.ino === found.ino && existing.dev === found.dev;
  if (isSame) throw invalid(`${path} belongs to the database itself. Name a backup.`);
  if (!found.isFile()) throw invalid(`${path} is not a file. Name a backup.`);
  if (found.size === 0) throw invalid(`${path} is empty. Name another backup.`);
  for (const suffix of files.suffixes) {
    if (suffix === "-shm" || !(await isThere(`${path}${suffix}`))) continue;
    // A copy of its file can be damaged without a sign.
    throw invalid(
      `${path} is not a backup: ${path}${suffix} is a log of its changes, so it is in use, or was. ` +
        "Make a backup of it with `siteward-server backup`, and restore that.",
    );
  }
  const handle = await open(path, "r");
  return { path, bytes: found.size, handle, [Symbol.asyncDispose]: () => handle.close() };
}

const chunkBytes = 1024 * 1024;

/** Copies a backup next to the database, and checks the copy: that is what will be used. */
async function copyBackup(
  { path, handle }: Awaited<ReturnType<typeof openBackup>>,
  { path: database, files, engine }: DatabaseFile,
  partial: string,
): Promise<CopyFacts> {
  const content = handle.createReadStream({ highWaterMark: chunkBytes, start: 0, autoClose: false });
  await writeFile(partial, content, { flag: "r+" });
  const damaged = (faults: string) =>
    invalid(`${path} cannot be restored: ${faults}. Nothing was changed. Use another backup.`);
  const facts = await readCopy({ files, engine }, partial, damaged).catch((error: unknown) => {
    if (!(error instanceof InstallationError)) throw error;
    throw new InstallationError(error.code, error.message.replaceAll(partial, path), error);
  });
  missingAfter(facts.version, migrations);
  files.prepare(partial);
  await takeMode(partial, database);
  return facts;
}

/** Whoever owned the database must be able to use the new one, and only its owner may create such a file. */
async function takeMode(copy: string, database: string): Promise<void> {
  const before = await stat(database).catch(() => undefined);
  if (before === undefined) return;
  await chmod(copy, before.mode & 0o777);
  const user = geteuid?.();
  if (user === undefined || before.uid === user) return;
  throw new InstallationError(
    "read_only",
    `The database ${database} belongs to user ${before.uid}, but this acts as user ${user}. Run it as the former.`,
  );
}
