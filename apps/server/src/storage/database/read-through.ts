import type { Kysely } from "kysely";
import type { Schema } from "../tables/schema.ts";
import type { Reader } from "./database.ts";

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
