import type { Database, DatabaseOptions, EngineName } from "./database.ts";
import { createPostgresTestDatabase } from "./postgres.ts";
import { createSqliteTestDatabase } from "./sqlite.ts";

const creators = {
  sqlite: createSqliteTestDatabase,
  postgres: createPostgresTestDatabase,
} as const satisfies Record<EngineName, (options: DatabaseOptions) => Promise<Database>>;

/**
 * Creates a database for one test. That of PostgreSQL is on the server that `prepare-databases.ts` has started for the run: its
 * path is in `globalSetup` of the project of the test.
 */
export function createDatabase(engine: EngineName, options: DatabaseOptions = {}): Promise<Database> {
  return creators[engine](options);
}
