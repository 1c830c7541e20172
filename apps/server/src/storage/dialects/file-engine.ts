import type { DatabaseConnection } from "kysely";
import type { DatabaseLocation, ReadDriver, StorageDialect } from "./dialect.ts";
import type { WebsiteSearchIndex } from "./website-search-index.ts";

/**
 * What an engine can do that keeps a database in one file. `copy` and `findDamage` block the thread for as long as the disk takes, so they
 * run on one of their own.
 *
 * All of them throw InstallationError that says what is wrong with a file.
 */
export interface FileEngine {
  readonly dialect: StorageDialect;
  readonly websiteSearch: WebsiteSearchIndex;
  /** The endings of the files that the engine writes next to a database, the log of changes first. */
  readonly suffixes: readonly string[];
  /** Returns the path that a URL names, in full. It may contain symbolic links. */
  nameOf(location: DatabaseLocation): string;
  /** Checks that the file is a database of Siteward, and returns how many bytes a copy takes at most. It may be in use. */
  measure(path: string): Promise<number>;
  /** Copies a database, which may be in use, into an empty file. The copy is the state at one moment, which is after the call. */
  copy(path: string, copy: CopyTarget): CopyReport;
  /** Returns what is wrong with the content of a copy, a line each. Empty if it is whole. */
  findDamage(copy: string): readonly string[];
  /** Opens a copy to read it. It leaves no other files behind. */
  openCopy(copy: string): OpenCopy;
  /** Turns a copy into a database: it forgets when it was made. */
  prepare(copy: string): void;
  /** Returns the processes that have the file open, or another file of the database. Empty if the system does not say. */
  findUsers(path: string): Promise<readonly number[]>;
  /** Fills an empty file, which nobody else knows. If this fails, what is in the file is of no use. */
  fill<Result>(path: string, work: (connection: DatabaseConnection) => Promise<Result>): Promise<Result>;
  /**
   * Locks a database against every process, and moves its log into the file, so that the file alone is the database.
   *
   * @throws InstallationError `in_use` if another connection is open, also one that does nothing
   */
  lock(path: string): FileLock;
}

interface CopyTarget {
  readonly path: string;
  readonly madeAt: Date;
}

export interface CopyReport {
  /** The rows of the database, if nobody changed it in the meantime. */
  readonly counts: RowCounts | undefined;
}

interface RowCounts {
  readonly accounts: number;
  readonly websites: number;
}

interface OpenCopy extends Disposable {
  readonly read: ReadDriver;
  /** When it was copied. Undefined if another program has made it. */
  readonly madeAt: Date | undefined;
}

export interface FileLock extends Disposable {
  /** Why the file could not be read. It is then not locked, and its log is as it was. Undefined if it could. */
  readonly damage: string | undefined;
  /** Reads the locked file. Undefined if it is damaged. */
  readonly read: ReadDriver | undefined;
}
