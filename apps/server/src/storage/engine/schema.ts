import type { SchemaWords } from "./database.ts";
import { type Sql, sql } from "./statement.ts";

/** A step from one version of the database to the next. Never change a published migration: correct it with a later one. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  sql(words: SchemaWords): readonly Sql[];
  /** Statements that an engine may not support, such as an index with a function. Then it does without all of them. */
  optionalSql?(words: SchemaWords): readonly Sql[];
}

/** Creates all tables and indexes. The columns are described in `tables/`. */
const initial: Migration = {
  version: 1,
  name: "initial",
  sql: ({ integer, bytes, text, tableEnd, clusteredTableEnd }) => [
    // Search indexes rely on the bounds of the ids.
    sql`create table accounts (
  id ${integer} primary key check (id between 1 and 2147483647),
  name ${text} not null,
  email ${text} not null,
  website_count ${integer} not null check (website_count >= 0),
  website_limit ${integer},
  last_website_id ${integer} not null check (last_website_id between 0 and 4294967295),
  last_website_created_at ${integer} not null,
  created_at ${integer} not null,
  updated_at ${integer} not null,
  version ${integer} not null default 1,
  trail_day ${integer} not null default 0,
  trail_bytes ${integer} not null default 0,
  change_count ${integer} not null default 0,
  changed_at ${integer} not null default 0,
  counted_since ${integer} not null default 0
) ${tableEnd}`,
    sql`create table api_keys (
  id ${integer} primary key,
  account_id ${integer} not null references accounts (id),
  name ${text} not null,
  prefix ${text} not null unique,
  hash ${bytes} not null unique,
  scopes ${text} not null,
  created_at ${integer} not null,
  expires_at ${integer},
  revoked_at ${integer},
  last_used_at ${integer},
  version ${integer} not null default 1,
  rate_limit ${integer}
) ${tableEnd}`,
    sql`create index api_keys_by_account on api_keys (account_id, id)`,
    // Every key begins with the account, so that a page is one contiguous range and accounts can be on different machines.
    sql`create table websites (
  account_id ${integer} not null references accounts (id),
  id ${integer} not null,
  domain ${text} not null,
  privacy ${integer} not null,
  password_hash ${text},
  email ${integer} not null,
  exclude_bots ${integer} not null,
  exclude_params ${text} not null,
  exclude_ips ${text} not null,
  version ${integer} not null,
  created_at ${integer} not null,
  updated_at ${integer} not null,
  unicode_domain ${text},
  constraint websites_primary_key primary key (account_id, id),
  constraint websites_domain_unique unique (account_id, domain)
) ${clusteredTableEnd}`,
    sql`create index websites_unicode_domains on websites (account_id, domain, unicode_domain)
  where unicode_domain is not null`,
    // Outcomes are deleted in order of their age, account by account.
    sql`create table idempotency_keys (
  account_id ${integer} not null,
  key ${text} not null,
  fingerprint ${text} not null,
  outcome ${text} not null,
  created_at ${integer} not null,
  constraint idempotency_keys_primary_key primary key (account_id, key)
) ${clusteredTableEnd}`,
    sql`create index idempotency_keys_by_age on idempotency_keys (account_id, created_at)`,
    // The trail is read in order of time. The entries of a website are found from its newest one back, of which an index has only
    // those of deleted websites: one of all would be written at another place by each change. Changes are read by their numbers.
    sql`create table audit_entries (
  account_id ${integer} not null,
  at ${integer} not null,
  subject ${text} not null,
  subject_id ${integer} not null,
  version ${integer} not null,
  action ${text} not null,
  api_key ${text},
  operator ${text},
  request_id ${text},
  changes ${text} not null,
  previous_at ${integer},
  position ${integer},
  constraint audit_entries_primary_key primary key (account_id, at, subject, subject_id, version)
) ${clusteredTableEnd}`,
    sql`create index audit_entries_deleted_websites on audit_entries (account_id, subject_id)
  where subject = 'website' and action = 'website.deleted'`,
    sql`create index audit_entries_by_position on audit_entries (account_id, position) where position is not null`,
    // There is no foreign key: its rows outlive the accounts.
    sql`create table account_deletions (
  account_id ${integer} primary key,
  last_api_key_id ${integer} not null,
  began_at ${integer} not null
) ${tableEnd}`,
  ],
  optionalSql: ({ searchIndex }) => searchIndex,
};

export const migrations: readonly Migration[] = [initial];

/** The version of the database that this program needs. */
export const newestVersion: number = migrations.at(-1)?.version ?? 0;
