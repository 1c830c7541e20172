import type { Database, IndexedWebsite, WriteConnection } from "../database/database.ts";
import { type Schema, tables } from "../tables/schema.ts";
import { columnNames, type Table } from "../tables/table.ts";

/** The tables that a copy moves: all except the table of versions, which each database has for itself. */
export type CopiedTableName = Exclude<keyof Schema, "schema_migrations">;

/** A row in the stored form, which is the same on every engine. */
export type CopiedRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** What a copy needs to know about a table. */
export interface CopiedTable extends CopyRules {
  readonly name: CopiedTableName;
  /** In the order in which checksums include them. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** What the description of a table does not contain. */
interface CopyRules {
  /** The column with the id of the account. */
  readonly accountColumn: string;
  /** Whether other tables refer to its rows. A row that differs is then updated, not deleted and inserted. */
  readonly isReferenced: boolean;
  /** Whether its rows grant clients access. They are copied last, in one transaction. */
  readonly grantsAccess: boolean;
  /** An index that storage maintains next to the table. */
  readonly index?: RowIndex;
}

interface RowIndex {
  add(transaction: WriteConnection, database: Database, rows: readonly CopiedRow[]): Promise<void>;
  remove(transaction: WriteConnection, database: Database, row: CopiedRow): Promise<void>;
}

const searchIndex: RowIndex = {
  add: (transaction, { websiteSearch }, rows) => websiteSearch.load(transaction, rows.map(toIndexed)),
  remove: (transaction, { websiteSearch }, row) => websiteSearch.remove(transaction, toSearchKey(row)),
};

function toIndexed(row: CopiedRow): IndexedWebsite {
  const { domain, unicode_domain: unicode } = row;
  return { ...toSearchKey(row), domain: String(domain), unicodeDomain: typeof unicode === "string" ? unicode : null };
}

function toSearchKey(row: CopiedRow) {
  return { accountId: Number(row["account_id"]), id: Number(row["id"]) };
}

/** A table comes after the tables that its rows refer to. It does not compile if a table is missing. */
const rules = {
  accounts: { accountColumn: "id", isReferenced: true, grantsAccess: false },
  api_keys: { accountColumn: "account_id", isReferenced: false, grantsAccess: true },
  websites: { accountColumn: "account_id", isReferenced: false, grantsAccess: false, index: searchIndex },
  audit_entries: { accountColumn: "account_id", isReferenced: false, grantsAccess: false },
  idempotency_keys: { accountColumn: "account_id", isReferenced: false, grantsAccess: false },
  account_deletions: { accountColumn: "account_id", isReferenced: false, grantsAccess: false },
} as const satisfies { [Name in CopiedTableName]: CopyRules & { readonly accountColumn: keyof Schema[Name] } };

/** The tables that a copy moves, in the order in which rows can be added. */
export const copiedTables: readonly CopiedTable[] = Object.entries(rules).map(([key, rule]) => {
  // The cast is safe: the keys of the rules are the names of the tables.
  const name = key as CopiedTableName;
  const table: Table = tables[name];
  return { ...rule, name, columns: columnNames(table), key: table.key };
});
