import { DummyDriver, Kysely, type KyselyPlugin } from "kysely";
import type { StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";

/** Builds queries for an engine. It runs none: connections do. */
export type QueryBuilder = Pick<
  Kysely<Schema>,
  "selectFrom" | "insertInto" | "updateTable" | "deleteFrom" | "schema" | "fn" | "getExecutor"
>;

export function createQueryBuilder(
  { syntax }: Pick<StorageDialect, "syntax">,
  plugins: KyselyPlugin[] = [],
): QueryBuilder {
  return new Kysely<Schema>({ dialect: { ...syntax, createDriver: () => new NoDriver() }, plugins });
}

/** A query that runs where there is no database must fail, not find nothing. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return Promise.reject(new Error("Run queries through a connection: `read(query)` or `write(statement)`."));
  }
}
