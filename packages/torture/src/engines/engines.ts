import type { EngineName } from "../row.ts";
import type { Engine } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** All engines, by name. Each function opens one. */
export const engines = {
  sqlite: openSqlite,
  postgres: openPostgres,
} as const satisfies Record<EngineName, () => Promise<Engine>>;
