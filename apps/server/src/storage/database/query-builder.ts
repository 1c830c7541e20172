import { DummyDriver, Kysely } from "kysely";
import type { QueryBuilder } from "../dialects/connection.ts";
import type { StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";

/** Creates a query builder that has no database. */
export function createQueryBuilder({ syntax }: Pick<StorageDialect, "syntax">): QueryBuilder {
  return new Kysely<Schema>({ dialect: { ...syntax, createDriver: () => new NoDriver() } });
}

/** Fails when a query runs on the builder. Kysely's `DummyDriver` would return no rows instead. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return Promise.reject(
      new Error(
        "A query builder cannot run queries. Run them with `read(query)` or `write(statement)` on a connection.",
      ),
    );
  }
}
