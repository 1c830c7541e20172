/** The storage engines that are measured, by the name of the option. */
export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

export const engineTitles = { sqlite: "SQLite", postgres: "PostgreSQL" } as const satisfies Record<EngineName, string>;

/** Creates databases for servers, and deletes all of them at its end. */
export interface BenchEngine extends AsyncDisposable {
  readonly name: EngineName;
  /**
   * Creates a database with one account that has this number of websites, with the ids from 1. Later calls must not ask for
   * fewer websites.
   */
  readonly createDatabase: (websiteCount: number) => Promise<BenchDatabase>;
  /** Returns how much processor time the engine's own processes have used, in seconds. */
  readonly cpuSeconds: () => number;
}

export interface BenchDatabase {
  readonly url: string;
  /** A key of the account that owns the websites. */
  readonly apiKey: string;
  readonly websiteCount: number;
}
