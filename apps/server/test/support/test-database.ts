/** An empty database of one test, thrown away after it. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Runs statements on the database behind the program's back. */
  execute(statements: string): Promise<void>;
  /** What the engine itself finds wrong with the database, and counts that are not exact. */
  findFaults(): Promise<unknown[]>;
}

/** Finds accounts whose number of websites is not what they say. */
export const findWrongCounts = `
  select * from accounts
  where website_count <> (select count(*) from websites where websites.account_id = accounts.id)`;

/** Makes an empty database. */
export type TestEngine = () => Promise<TestDatabase>;
