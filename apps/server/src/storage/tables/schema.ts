import { accountDeletions } from "./account-deletions.ts";
import { accounts } from "./accounts.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEntries } from "./audit-entries.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { schemaMigrations } from "./schema-migrations.ts";
import type { Row } from "./table.ts";
import { websites } from "./websites.ts";

/** All tables. */
export const tables = {
  accounts,
  api_keys: apiKeys,
  websites,
  audit_entries: auditEntries,
  idempotency_keys: idempotencyKeys,
  account_deletions: accountDeletions,
  schema_migrations: schemaMigrations,
} as const;

/** The rows of all tables, for Kysely. They are the same on every engine. */
export type Schema = { readonly [Name in keyof typeof tables]: Row<(typeof tables)[Name]> };

export type AccountRow = Schema["accounts"];
export type ApiKeyRow = Schema["api_keys"];
