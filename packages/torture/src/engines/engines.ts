import type { EngineName } from "../row.ts";
import type { Engine } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens an engine by its name. */
export const engines = {
  sqlite: openSqlite,
  postgres: openPostgres,
} as const satisfies Record<EngineName, () => Promise<Engine>>;
