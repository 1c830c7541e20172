import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import type { EngineName } from "../src/storage/database/choose-dialect.ts";
import type { Database } from "../src/storage/database/database.ts";
import { openDatabase } from "../src/storage/database/open-database.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import type { Storage } from "../src/storage/storage.ts";
import { runOnPostgres } from "../test/support/postgres-database.ts";
import { makeSqliteDatabase } from "../test/support/sqlite-database.ts";

/** An engine with an empty database of ours, thrown away after use. */
export interface Engine extends AsyncDisposable {
  readonly name: string;
  /** The database as the server uses it. */
  readonly storage: Storage;
  /** The same database, for what is no part of the measurement. */
  readonly database: Database;
  /** Does what the engine would do by itself some time after many writes, so that it does not do it while it is measured. */
  readonly settle: () => Promise<void>;
}

/** Both stand for a machine that is given to the database; all else is as it comes, so every commit is safe on the disk. */
const postgresSettings = [
  // The documented advice is a quarter of the memory, and the default is that of a machine with half a gigabyte.
  "shared_buffers=1GB",
  // Checkpoints come by time, as they should, rather than in the middle of seeding.
  "max_wal_size=4GB",
];

const starts = {
  sqlite: async () => {
    const place = await makeSqliteDatabase();
    return open("SQLite", place, () => place.execute("pragma wal_checkpoint(truncate)"));
  },
  postgres: async () => {
    const cluster = await startPostgresCluster({ settings: postgresSettings });
    const place = {
      databaseUrl: cluster.urlOf("postgres"),
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
    return open("PostgreSQL", place, async () => {
      await runOnPostgres(place.databaseUrl, "vacuum (analyze) accounts, websites");
      await runOnPostgres(place.databaseUrl, "checkpoint");
    });
  },
} as const satisfies Record<EngineName, () => Promise<Engine>>;

/** Starts every engine with an empty database. */
export function startEngines(): Promise<Engine[]> {
  return Promise.all(Object.values(starts).map((start) => start()));
}

async function open(
  name: string,
  { databaseUrl, ...place }: AsyncDisposable & { readonly databaseUrl: string },
  settle: () => Promise<void>,
): Promise<Engine> {
  const storage = await openStorage({ databaseUrl });
  const database = await openDatabase({ databaseUrl, isPatient: true });
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
