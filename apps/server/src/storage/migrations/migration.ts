import type { QueryBuilder } from "../database/query-builder.ts";
import type { WriteConnection } from "../dialects/connection.ts";
import type { DialectDefinitions } from "../dialects/dialect.ts";

/** A step from one version of the database to the next. Once published it never changes; a later one corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** A plan runs it too, on a connection where every query finds nothing and does nothing. */
  up(transaction: WriteConnection, engine: MigrationEngine): Promise<void>;
}

/** What a migration writes its statements with. */
export interface MigrationEngine {
  readonly build: QueryBuilder;
  readonly definitions: DialectDefinitions;
}
