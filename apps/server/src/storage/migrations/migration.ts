import type { SchemaWords } from "../database/database.ts";

/** A step from one version of the database to the next. Never change a published migration: correct it with a later one. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Its statements, in order. */
  sql(words: SchemaWords): readonly string[];
  /** Statements that an engine may not support, such as an index with a function. Then it does without all of them. */
  optionalSql?(words: SchemaWords): readonly string[];
}

/** Returns the statement that records that a migration ran. */
export function recordOf({ version, name }: Migration, nowMs: number): string {
  return `insert into schema_migrations (version, name, applied_at) values (${version}, '${name}', ${nowMs})`;
}

/** Returns the statement that creates the table of the migrations that ran, if it does not exist. */
export function versionTable({ integer, text, tableEnd }: SchemaWords): string {
  return `create table if not exists schema_migrations (
  version ${integer} primary key,
  name ${text} not null,
  applied_at ${integer} not null
) ${tableEnd}`.trimEnd();
}
