import { type Schema, tables } from "../tables/schema.ts";
import { columnNames, type Table } from "../tables/table.ts";

/** The tables that a copy moves: all except the table of versions, which each database has for itself. */
export type CopiedTableName = Exclude<keyof Schema, "schema_migrations">;

/** A row in the stored form, which is the same on every engine. */
export type CopiedRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** What a copy needs to know about a table. */
export interface CopiedTable {
  readonly name: CopiedTableName;
  /** In the order in which checksums include them. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The column with the id of the account. */
  readonly accountColumn: string;
}

/** A table comes after the tables that its rows refer to. It does not compile if a table is missing. */
const accountColumns = {
  accounts: "id",
  api_keys: "account_id",
  websites: "account_id",
  audit_entries: "account_id",
  idempotency_keys: "account_id",
  account_deletions: "account_id",
} as const satisfies { [Name in CopiedTableName]: keyof Schema[Name] };

/** The tables that a copy moves, in the order in which rows can be added. */
export const copiedTables: readonly CopiedTable[] = Object.entries(accountColumns).map(([key, accountColumn]) => {
  // The cast is safe: the keys are the names of the tables.
  const name = key as CopiedTableName;
  const table: Table = tables[name];
  return { name, columns: columnNames(table), key: table.key, accountColumn };
});
