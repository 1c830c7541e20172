import { statfs } from "node:fs/promises";
import type { Connection, DatabaseLocation } from "./connection.ts";
import type { WebsiteSearchIndex } from "./website-search-index.ts";

/**
 * What an engine can do that keeps a database in one file. Most of it blocks the thread for as long as the disk takes.
 *
 * All of them throw InstallationError that says what is wrong with a file, except where they say otherwise.
 */
export interface MovableFiles {
  readonly websiteSearch: WebsiteSearchIndex;
  /** The endings of the files that the engine writes next to a database, the log of changes first. */
  readonly suffixes: readonly string[];
  /** Returns where a database is, whether it exists or not. Opens nothing. */
  locate(location: DatabaseLocation): Promise<FilePlace>;
  /** Opens a database of Siteward, or a copy of one, which may be in use. */
  open(path: string): Promise<OpenFile>;
  /** Returns what is wrong with the content of a copy, a line each. Empty if it is whole. */
  findDamage(copy: string): readonly string[];
  /** Turns a copy into a database: it forgets when it was made. */
  prepare(copy: string): void;
  /** Fills an empty file, which nobody else knows. If this fails, what is in the file is of no use. */
  fill<Result>(path: string, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Locks a database against every process.
   *
   * @param options.movesLog whether its log is moved into the file, so that the file alone is the database
   * @throws InstallationError `in_use` if another connection is open, also one that does nothing
   */
  lock(path: string, options: { readonly movesLog: boolean }): FileLock;
}

export interface FilePlace {
  /** In full, without symbolic links. */
  readonly path: string;
  /** As the URL names it, in full. It may contain symbolic links. */
  readonly name: string;
}

interface OpenFile extends Disposable {
  readonly connection: Connection;
  /** How many bytes a copy takes at most. */
  readonly bytes: number;
  /** When it was copied. Undefined if it is no copy, or if another program has made it. */
  readonly madeAt: Date | undefined;
  /**
   * Copies the database into an empty file, as it is at one moment, which is after the call. Throws errors of the
   * engine.
   */
  copyInto(path: string, madeAt: Date): void;
}

export interface FileLock extends Disposable {
  /** Why the file could not be read. It is then not locked, and its log is as it was. Undefined if it could. */
  readonly damage: string | undefined;
  /** Reads the locked file. Undefined if it is damaged. */
  readonly connection: Connection | undefined;
}

/**
 * Returns how many bytes a folder has left for this user. Undefined on a file system that does not say it, as some in a
 * network do.
 */
export async function readFreeBytes(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? undefined : bavail * bsize;
}
