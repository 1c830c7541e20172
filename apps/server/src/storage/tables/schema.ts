import type { Selectable } from "kysely";

/** The tables as Kysely sees them, the same on every engine. Times are milliseconds since 1970; lists are JSON text. */
export interface Schema {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  websites: WebsiteTable;
  schema_migrations: SchemaMigrationTable;
}

interface AccountTable {
  id: number;
  name: string;
  email: string;
  /** Changed in the transactions that insert and delete websites, so that it is exact. */
  website_count: number;
  /** Null means no limit. */
  website_limit: number | null;
  /** The highest website id ever given out; ids are never used twice. */
  last_website_id: number;
  /** No later website is dated before it, even when the clock runs backwards. */
  last_website_created_at: number;
  created_at: number;
  updated_at: number;
}

interface ApiKeyTable {
  id: number;
  account_id: number;
  name: string;
  prefix: string;
  hash: Uint8Array;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface WebsiteTable {
  account_id: number;
  id: number;
  domain: string;
  privacy: 0 | 1 | 2;
  password_hash: string | null;
  email: 0 | 1;
  exclude_bots: 0 | 1;
  exclude_params: string;
  exclude_ips: string;
  version: number;
  created_at: number;
  updated_at: number;
}

interface SchemaMigrationTable {
  version: number;
  name: string;
  applied_at: number;
}

export type AccountRow = Selectable<AccountTable>;
export type ApiKeyRow = Selectable<ApiKeyTable>;
