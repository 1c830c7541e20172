import type { Migration } from "./migration.ts";
import { initial } from "./schema.ts";

/** All migrations in order of version. */
export const migrations: readonly Migration[] = [initial];

/** The version of the database that this program needs. */
export const newestVersion: number = migrations.at(-1)?.version ?? 0;
