/** A database for one test. It is deleted after the test. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Whether storage writes to it on a thread of its own. See `StorageOptions`. */
  readonly writesOnThread?: boolean;
  /** Runs statements on the database without the program's knowledge. */
  execute(statements: string): Promise<void>;
  /** Returns the faults that the engine itself finds in the database, and counts that are not exact. */
  findFaults(): Promise<unknown[]>;
}

/** Finds accounts whose number of websites is wrong. */
export const findWrongCounts = `
  select * from accounts
  where website_count <> (select count(*) from websites where websites.account_id = accounts.id)`;

export interface TestDatabaseOptions {
  /** Whether it has the tables already, which takes half the time of migrating it. Default: it is empty. */
  readonly isMigrated?: boolean;
}

/** Creates a database without rows. */
export type TestEngine = (options?: TestDatabaseOptions) => Promise<TestDatabase>;
