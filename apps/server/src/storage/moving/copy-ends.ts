import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { toReadConnection, toWriteConnection } from "../engine/connection.ts";
import {
  type Database,
  type DatabaseLocation,
  openDatabase,
  type ReadConnection,
  type WriteConnection,
} from "../engine/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import {
  asOwnerOf,
  createFile,
  createFolder,
  type DatabaseFile,
  findFile,
  placeNew,
  requireNew,
} from "./place-file.ts";
import { type CopyResult, copiedTables } from "./rows.ts";

/** A database that nobody changes while it is read. */
export interface CopySource extends Pick<Database, "engine"> {
  readonly connection: ReadConnection;
  /** @throws InstallationError `source_in_use` if a program has begun to use the database meanwhile */
  readonly requireUnused?: (() => Promise<void>) | undefined;
}

/** A database that is stored as a whole, or not at all. */
export interface CopyDestination extends Pick<Database, "engine" | "websiteSearch" | "now"> {
  readonly transaction: WriteConnection;
}

type Read = (source: CopySource) => Promise<CopyResult>;
type Fill = (destination: CopyDestination) => Promise<CopyResult>;

/** Reads a database that no program uses. @throws InstallationError `source_in_use`, or `nothing_to_copy` without one */
export async function readUnused(location: DatabaseLocation, read: Read): Promise<CopyResult> {
  try {
    const file = await findFile(location);
    return await (file === undefined ? readServer(location, read) : readFile(file, read));
  } catch (error) {
    if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
    throw nothingToCopy(error.message.replace(/\.$/, ""));
  }
}

/** The lock of the file refuses every other connection until it is released. */
async function readFile({ path, name, files, engine }: DatabaseFile, read: Read): Promise<CopyResult> {
  using lock = await asOwnerOf(name, async () => {
    (await files.open(path))[Symbol.dispose]();
    return files.lock(path, { movesLog: true });
  }).catch((error: unknown) => {
    if (!(error instanceof InstallationError && error.code === "in_use")) throw error;
    throw new InstallationError("source_in_use", error.message, error);
  });
  if (lock.connection === undefined) throw new InstallationError("cannot_open", `Cannot read ${path}: ${lock.damage}`);
  const connection = toReadConnection(lock.connection, engine);
  return await read({ connection, engine });
}

/** A server cannot refuse connections, so it is asked who is connected, before the copy and at its end. */
async function readServer(location: DatabaseLocation, read: Read): Promise<CopyResult> {
  // The name tells the connections of this process from those of others, also behind a pooler.
  const own = { programName: `siteward copy ${randomUUID()}`, allowsLongStatements: true, mustExist: true };
  const database = await openDatabase({ ...location, ...own });
  const { engine } = database;
  const ended = Promise.withResolvers<CopyResult>();
  try {
    const locked = database.write(async (connection) => {
      const requireUnused = await engine.server?.lockUnused(connection, copiedTables);
      ended.resolve(await read({ connection, engine, requireUnused }));
    });
    // Once the copy is stored, a connection that is lost has only released its locks.
    locked.catch(ended.reject);
    const result = await ended.promise;
    await locked.catch(() => undefined);
    return result;
  } finally {
    await database.close();
  }
}

/** If `fill` fails, nothing is left. @throws InstallationError `destination_in_use` if it is a file that exists */
export async function fillDestination(location: DatabaseLocation, fill: Fill): Promise<CopyResult> {
  const file = await findFile(location);
  return file === undefined ? fillServer(location, fill) : fillFile(file, fill);
}

async function fillFile({ path, name, files, engine }: DatabaseFile, fill: Fill): Promise<CopyResult> {
  const existing = (found: string) => new InstallationError("destination_in_use", `The file ${found} exists.`);
  const fillPartial = (partial: string) =>
    files.fill(partial, (connection) => {
      const transaction = toWriteConnection(connection, engine);
      return fill({ transaction, engine, websiteSearch: files.websiteSearch, now: Date.now });
    });
  return asOwnerOf(name, async () => {
    await requireNew(path, files.suffixes, existing);
    await createFolder(dirname(path));
    return await createFile(path, fillPartial, (partial) => placeNew(partial, path, existing));
  });
}

async function fillServer(location: DatabaseLocation, fill: Fill): Promise<CopyResult> {
  const database = await openDatabase({ ...location, allowsLongStatements: true });
  try {
    return await database.write((transaction) => fill({ ...database, transaction }));
  } finally {
    await database.close();
  }
}

/** Returns the error for a source without data. The operator may have named the wrong database. */
export function nothingToCopy(fault: string): InstallationError {
  return new InstallationError("nothing_to_copy", `${fault}, so there is nothing to copy.`);
}
