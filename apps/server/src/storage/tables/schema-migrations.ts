import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** The migrations that ran, and a special row, listed in `versions`. Each database has its own. */
export const schemaMigrations = defineTable({
  name: "schema_migrations",
  columns: {
    version: stored<number>(),
    /** The name of the migration, or the text of the special row. */
    name: stored<string>(),
    /** In milliseconds since 1970. */
    applied_at: stored<number>(),
  },
  key: ["version"],
  distributedBy: null,
});

/** The version of the special row. Versions from 1 up are migrations. */
export const versions = {
  /** Locked during a migration, on engines that cannot lock an entire database. Its name is not used. */
  migrationLock: 0,
} as const;
