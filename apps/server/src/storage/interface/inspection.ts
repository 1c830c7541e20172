/** What `doctor` learns of a database. Nothing of it changes the database. */
export interface DatabaseInspection {
  /** The kind of the database and its location, such as "database file /data/siteward.db". It contains no password. */
  readonly name: string;
  /** The folder of the database's file. Undefined if the database is on a server. */
  readonly folder: string | undefined;
  /**
   * Opens the database for this call only, and reads what it contains.
   *
   * @throws InstallationError that says why it cannot be read
   */
  read(): Promise<DatabaseContents>;
  /** @throws InstallationError `read_only` that says what refuses changes, or another that says why that is not known */
  requireWritable(): Promise<void>;
  /** Returns the files of the database that exist, and the folder that they are in, if this process opens files. */
  readFiles(): Promise<readonly DatabaseFile[]>;
  /** Returns the state of each replica, in the order of the setting. */
  readReplicas(): Promise<readonly ReplicaState[]>;
  close(): Promise<void>;
}

export interface DatabaseContents {
  readonly version: number;
  /** How far the clock of its server is ahead of ours. Undefined if the database has no clock of its own. */
  readonly clockAheadMs: number | undefined;
  /** Undefined if the program does not know the version. */
  readonly rows: KnownRows | undefined;
}

/** What is counted in the tables, in at most 10,000 rows of each. */
export interface KnownRows {
  /** The newest time that is stored of an account, a change of its websites, or a key. Undefined if there are none. */
  readonly newestMs: number | undefined;
  /** The prefixes, which are not secret, of the keys that are valid now and never expire, the oldest first. */
  readonly neverExpiring: readonly string[];
}

export interface DatabaseFile {
  readonly path: string;
  readonly isFolder: boolean;
  readonly owner: number;
  /** Its permissions, such as 0o600. */
  readonly mode: number;
}

/** The state of a replica, by the name of its database and its address. */
interface ReplicaState {
  readonly name: string;
  /** Why it is not read, if it is not. */
  readonly fault: string | undefined;
  /** How many bytes of the primary's log it had not replayed yet, when it was asked. */
  readonly lagBytes: number;
}
