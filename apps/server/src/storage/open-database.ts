import { Kysely, type Logger, sql } from "kysely";
import type { Database } from "./database.ts";
import type { DirectReader } from "./dialects/dialect.ts";
import { chooseDialect } from "./dialects/dialects.ts";
import type { Schema } from "./schema.ts";

export interface DatabaseOptions {
  /** Such as `file:./data/siteward.db`. */
  readonly databaseUrl: string;
  /** The clock, in milliseconds since 1970. The system's by default. */
  readonly now?: () => number;
  /** Hears of each query. */
  readonly log?: Logger;
}

/**
 * Opens the database as it is, and makes an empty one where there is none.
 *
 * @throws Error that says what is wrong with the URL or the database
 */
export async function openDatabase({ databaseUrl, now = Date.now, ...options }: DatabaseOptions): Promise<Database> {
  const dialect = chooseDialect(databaseUrl);
  const drivers = await dialect.open(databaseUrl);
  const read = new Kysely<Schema>({ ...options, dialect: drivers.read });
  const write = new Kysely<Schema>({ ...options, dialect: drivers.write });
  // Kysely takes up a driver at its first query, and closes none that it has not taken up.
  await Promise.all([read, write].map((connection) => sql`select 1`.execute(connection)));
  return {
    read,
    write,
    // Only Kysely's runtime tells of queries.
    direct: options.log === undefined ? drivers.direct : throughKysely(read),
    dialect,
    now,
    async close() {
      await read.destroy();
      await write.destroy();
    },
  };
}

function throughKysely(read: Kysely<Schema>): DirectReader {
  return {
    async readValues(query) {
      const { rows } = await read.executeQuery<object>(query);
      return rows.map((row) => Object.values(row));
    },
  };
}
