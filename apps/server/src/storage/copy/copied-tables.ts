import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import type { Schema } from "../tables/schema.ts";

/** The tables that a copy moves: all but that of the versions, which every database has of its own. */
export type CopiedTableName = Exclude<keyof Schema, "schema_migrations">;

/** A row as it is stored, on whichever engine. */
export type CopiedRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** What a copy needs to know of a table. */
export interface CopiedTable {
  readonly name: CopiedTableName;
  /** In the order in which checksums read them. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The column that tells the account. */
  readonly account: string;
  /** Whether rows of other tables hang on its rows, so that one which differs is changed in place. */
  readonly isReferredTo: boolean;
  /** Whether its rows let clients in, so that they come last and all at once. */
  readonly letsClientsIn: boolean;
  /** What the engine keeps beside the table. */
  readonly index?: RowIndex;
}

interface RowIndex {
  add(transaction: Transaction<Schema>, database: Database, row: CopiedRow): Promise<void>;
  remove(transaction: Transaction<Schema>, database: Database, row: CopiedRow): Promise<void>;
}

interface Definition<Name extends CopiedTableName> {
  readonly columns: Readonly<Record<keyof Schema[Name], true>>;
  readonly key: readonly (keyof Schema[Name])[];
  readonly account: keyof Schema[Name];
  readonly isReferredTo: boolean;
  readonly letsClientsIn: boolean;
  readonly index?: RowIndex;
}

const searchIndex: RowIndex = {
  add: (transaction, { websiteSearch }, row) =>
    websiteSearch.add(transaction, { ...toSearchKey(row), domain: String(row["domain"]) }),
  remove: (transaction, { websiteSearch }, row) => websiteSearch.remove(transaction, toSearchKey(row)),
};

function toSearchKey(row: CopiedRow) {
  return { accountId: Number(row["account_id"]), id: Number(row["id"]) };
}

/** A table comes after those that its rows refer to. The compiler asks for each table and column. */
const definitions = {
  accounts: {
    columns: {
      id: true,
      name: true,
      email: true,
      website_count: true,
      website_limit: true,
      last_website_id: true,
      last_website_created_at: true,
      created_at: true,
      updated_at: true,
    },
    key: ["id"],
    account: "id",
    isReferredTo: true,
    letsClientsIn: false,
  },
  api_keys: {
    columns: {
      id: true,
      account_id: true,
      name: true,
      prefix: true,
      hash: true,
      scopes: true,
      created_at: true,
      expires_at: true,
      revoked_at: true,
      last_used_at: true,
    },
    key: ["id"],
    account: "account_id",
    isReferredTo: false,
    letsClientsIn: true,
  },
  websites: {
    columns: {
      account_id: true,
      id: true,
      domain: true,
      privacy: true,
      password_hash: true,
      email: true,
      exclude_bots: true,
      exclude_params: true,
      exclude_ips: true,
      version: true,
      created_at: true,
      updated_at: true,
    },
    key: ["account_id", "id"],
    account: "account_id",
    isReferredTo: false,
    letsClientsIn: false,
    index: searchIndex,
  },
} as const satisfies { [Name in CopiedTableName]: Definition<Name> };

/** Every table that a copy moves, in the order in which rows can be added. */
export const copiedTables: readonly CopiedTable[] = Object.entries(definitions).map(([name, definition]) => ({
  ...definition,
  // The keys of the definitions are the names of the tables.
  name: name as CopiedTableName,
  columns: Object.keys(definition.columns),
}));
