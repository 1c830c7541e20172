import { DatabaseSync } from "node:sqlite";
import { runSql } from "@siteward/testing/engines/postgres";

/** Returns a line for each column of a table, and for each column of an index, in order. */
export async function readSchema(databaseUrl: string): Promise<string[]> {
  if (databaseUrl.startsWith("file:")) {
    using database = new DatabaseSync(databaseUrl.slice("file:".length));
    const query = database.prepare(sqliteSchema);
    // Several columns have the same name.
    query.setReturnArrays(true);
    return query.all().map((row) => Object.values(row).join(" "));
  }
  const rows = await runSql(databaseUrl, postgresSchema);
  return rows.map((row) => Object.values(row).join(" "));
}

const sqliteSchema = `
  select 'table', parts.name, parts.ncol, parts.wr, parts.strict, columns.cid, columns.name, columns.type, columns."notnull",
    columns.dflt_value, columns.pk
  from pragma_table_list as parts join pragma_table_xinfo(parts.name) as columns where parts.schema = 'main'
  union all
  select 'index', tables.name || ' ' || indexes.name, indexes."unique", indexes.origin, indexes.partial, columns.seqno,
    columns.name, columns."desc", columns.coll, columns.key, null
  from sqlite_master as tables join pragma_index_list(tables.name) as indexes join pragma_index_xinfo(indexes.name) as columns
  where tables.type = 'table'
  union all
  select 'setting', k, v, '', '', '', '', '', '', '', '' from domain_parts_config where k glob '*merge'
  order by 1, 2, 6`;

const postgresSchema = `
  select 'table' as kind, table_name, lpad(ordinal_position::text, 3) as position, column_name, data_type, collation_name,
    is_nullable, column_default
  from information_schema.columns where table_schema = 'public'
  union all
  select 'index', tablename, indexname, indexdef, '', '', '', '' from pg_indexes where schemaname = 'public'
  union all
  select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '', '', ''
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'function', proname, prosrc, '', '', '', '', '' from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2, 3`;
