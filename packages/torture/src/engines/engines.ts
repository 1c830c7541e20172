import type { Engine } from "./database.ts";
import type { EngineName } from "./engine-name.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** All engines, by name. Each function opens one. */
export const engines = {
  sqlite: openSqlite,
  postgres: openPostgres,
} as const satisfies Record<EngineName, () => Promise<Engine>>;
