import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** The migrations that ran, and two marks that are rows of the same table; see `versions`. Every database has its own. */
export const schemaMigrations = defineTable({
  name: "schema_migrations",
  columns: {
    version: stored<number>(),
    /** The name of the migration, or what the mark says. */
    name: stored<string>(),
    /** In milliseconds since 1970. */
    applied_at: stored<number>(),
  },
  key: ["version"],
});

/** What the versions of the table mean. From 1 on, each is the migration with that number. */
export const versions = {
  /** The database is an unfinished copy; the name says which copy writes to it. */
  unfinishedCopy: -1,
  /** Locked by whoever migrates, on engines that have no lock for a whole database. Its name says nothing. */
  migrationLock: 0,
} as const;
