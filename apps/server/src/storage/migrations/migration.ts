import type { Transaction } from "kysely";
import type { StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";

/** A step from one version of the database to the next. Once published it never changes; a later one corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** A plan runs it too, on a connection where every query finds nothing and does nothing. */
  up(transaction: Transaction<Schema>, dialect: StorageDialect): Promise<void>;
}
