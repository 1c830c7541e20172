import type { Kysely } from "kysely";
import type { Reader } from "./database.ts";
import type { Schema } from "./schema.ts";

/** Reads everything through Kysely's runtime, which can tell of queries and keep to one connection. */
export function readThrough(read: Kysely<Schema>): Reader {
  return {
    read,
    direct: {
      async readValues(query) {
        const { rows } = await read.executeQuery<object>(query);
        return rows.map((row) => Object.values(row));
      },
    },
  };
}
