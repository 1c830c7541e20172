import type { EngineName } from "@siteward/testing/engines/database";

export const engineTitles = { sqlite: "SQLite", postgres: "PostgreSQL" } as const satisfies Record<EngineName, string>;

/** Creates databases for servers, and deletes all of them at its end. */
export interface BenchEngine extends AsyncDisposable {
  readonly name: EngineName;
  /** Creates a database with one account that has the websites, with the ids from 1. */
  readonly createDatabase: () => Promise<BenchDatabase>;
  /** Returns how much processor time the engine's own processes have used, in seconds. */
  readonly cpuSeconds: () => number;
}

export interface BenchDatabase {
  readonly url: string;
  /** A key of the account that owns the websites. */
  readonly apiKey: string;
  readonly websiteCount: number;
}
