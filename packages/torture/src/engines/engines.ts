import type { Engine } from "./database.ts";
import type { EngineName } from "./engine-name.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** All engines, by name. Each function opens one: by default one that only the caller uses. */
export const engines: Readonly<Record<EngineName, (postgresUrl?: string) => Promise<Engine>>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
};
