import { randomUUID } from "node:crypto";
import { AppError } from "@siteward/service";
import type { Database, DatabaseLocation } from "../database/database.ts";
import type { LockedTables } from "../database/lock-tables.ts";
import { openDatabase } from "../database/open-database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { addMissing } from "./add-missing.ts";
import { type CopiedTableName, copiedTables } from "./copied-tables.ts";
import { type CopyListeners, CopyRun } from "./copy-run.ts";
import { finishCopy } from "./finish-copy.ts";
import { prepareDestination } from "./prepare-destination.ts";
import { removeExtra } from "./remove-extra.ts";
import { nothingToCopy, requireCopyable } from "./require-copyable.ts";
import { type TableDigest, verifyTable } from "./verify-table.ts";

export interface CopyEnds {
  /** URL of the database to read. It cannot be changed during the copy. */
  readonly from: string;
  /** URL of an empty database, or of an unfinished copy to continue. */
  readonly to: string;
  /** The names of the two URLs in messages, such as the settings that contain them. */
  readonly settings?: { readonly from: string; readonly to: string };
}

const defaultSettings = { from: "The URL of the source", to: "The URL of the destination" };

/** The digest of each table, which is equal in both databases. */
export type CopyResult = Readonly<Record<CopiedTableName, TableDigest>>;

/**
 * Copies all data to another database, on any engine. Until the copy is finished, the destination cannot be opened for any
 * other purpose. A copy that was interrupted continues when it is called again.
 *
 * @throws InstallationError that says what is wrong with one of the databases, or what interrupted the copy
 */
export async function copyDatabase(
  { from, to, settings = defaultSettings }: CopyEnds,
  listeners: CopyListeners = {},
): Promise<CopyResult> {
  const source = await openSource({ databaseUrl: from, setting: settings.from });
  try {
    await requireCopyable(source.primary, source.dialect);
    const destination = await openDatabase({ databaseUrl: to, setting: settings.to, allowsLongStatements: true });
    try {
      const mark = `unfinished copy ${randomUUID()}`;
      await prepareDestination(destination, mark);
      return await copyLocked(source, destination, { mark, listeners }).catch(interrupted);
    } finally {
      await destination.close();
    }
  } finally {
    await source.close();
  }
}

async function openSource(location: DatabaseLocation): Promise<Database> {
  try {
    return await openDatabase({ ...location, allowsLongStatements: true, mustExist: true });
  } catch (error) {
    if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
    throw nothingToCopy(error.message.replace(/\.$/, ""));
  }
}

async function copyLocked(
  source: Database,
  destination: Database,
  options: { readonly mark: string; readonly listeners: CopyListeners },
): Promise<CopyResult> {
  const { connection, release } = await lockSource(source);
  try {
    await requireCopyable(connection, source.dialect);
    return await copy(new CopyRun(connection, destination, options));
  } finally {
    await release();
  }
}

/** @throws InstallationError `source_not_locked` if others keep writing to the source, or the user may not lock it */
export async function lockSource(source: Database): Promise<LockedTables> {
  return source.lockTables(copiedTables.map(({ name }) => name)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new InstallationError("source_not_locked", `The source cannot be locked${quoteCause(error)}.`, error);
  });
}

async function copy(run: CopyRun): Promise<CopyResult> {
  const accessTables = copiedTables.filter(({ grantsAccess }) => grantsAccess);
  const otherTables = copiedTables.filter(({ grantsAccess }) => !grantsAccess);
  for (const table of copiedTables.toReversed()) await removeExtra(run, table);
  for (const table of otherTables) await addMissing(run, table);
  const digests = new Map<CopiedTableName, TableDigest>();
  for (const table of otherTables) digests.set(table.name, await verifyTable(run, table));
  for (const [name, digest] of await finishCopy(run, accessTables)) digests.set(name, digest);
  // The cast is safe: every table has its digest.
  return Object.fromEntries(copiedTables.map(({ name }) => [name, digests.get(name)])) as CopyResult;
}

function interrupted(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new InstallationError("copy_interrupted", `The copy was interrupted${quoteCause(error)}.`, error);
}

/** Returns what the database itself said, to be added to a sentence. */
function quoteCause({ cause }: Error): string {
  return cause instanceof Error ? `: ${cause.message.replace(/\.$/, "")}` : "";
}
