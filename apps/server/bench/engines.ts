import { runSql } from "@siteward/testing/engines/postgres";
import { createSqliteTestDatabase } from "@siteward/testing/engines/sqlite";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import type { EngineName } from "../src/storage/database/choose-dialect.ts";
import type { Database } from "../src/storage/database/database.ts";
import { openDatabase } from "../src/storage/database/open-database.ts";
import type { Storage } from "../src/storage/interface/storage.ts";
import { openStorage } from "../src/storage/open-storage.ts";

/** An engine with its own empty database, which is deleted after use. */
export interface Engine extends AsyncDisposable {
  readonly name: string;
  /** The storage that the server uses. */
  readonly storage: Storage;
  /** The same database, for work that is not measured. */
  readonly database: Database;
  /** Runs the work that the engine does some time after many writes, so that it does not run during a measurement. */
  readonly settle: () => Promise<unknown>;
}

/** Settings of a machine that only runs the database. All others keep their defaults, so every commit is synced to disk. */
const postgresSettings = [
  // The documentation recommends a quarter of the memory. The default suits a machine with half a gigabyte.
  "shared_buffers=1GB",
  // Checkpoints run by time, as they should, and not while the database is filled.
  "max_wal_size=4GB",
];

const starts = {
  sqlite: async () => {
    const { url: databaseUrl, query, ...place } = await createSqliteTestDatabase({});
    return open("SQLite", { ...place, databaseUrl }, () => query("pragma wal_checkpoint(truncate)"));
  },
  postgres: async () => {
    const cluster = await startPostgresCluster({ settings: postgresSettings });
    const place = {
      databaseUrl: cluster.urlOf("postgres"),
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
    return open("PostgreSQL", place, async () => {
      await runSql(place.databaseUrl, "vacuum (analyze) accounts, websites");
      await runSql(place.databaseUrl, "checkpoint");
    });
  },
} as const satisfies Record<EngineName, () => Promise<Engine>>;

/** Starts all engines, each with an empty database. */
export function startEngines(): Promise<Engine[]> {
  return Promise.all(Object.values(starts).map((start) => start()));
}

async function open(
  name: string,
  { databaseUrl, ...place }: AsyncDisposable & { readonly databaseUrl: string },
  settle: () => Promise<unknown>,
): Promise<Engine> {
  const storage = await openStorage({ databaseUrl });
  const database = await openDatabase({ databaseUrl, allowsLongStatements: true });
  return {
    name,
    storage,
    database,
    settle,
    [Symbol.asyncDispose]: async () => {
      await storage.close();
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
