import { sql } from "kysely";
import type { DialectDefinitions, WriteConnection } from "../database/database.ts";
import type { Migration } from "./migration.ts";

/**
 * Creates all tables. It is version 5 because development reached it in five steps before the first release. A database at
 * version 5 of that time is the same, except that it also has the index `audit_entries_by_api_key`, which version 8 drops.
 */
export const initial: Migration = {
  version: 5,
  name: "initial",
  async up(transaction, definitions) {
    await createAccounts(transaction, definitions);
    await createApiKeys(transaction, definitions);
    await createWebsites(transaction, definitions);
    await definitions.createWebsiteSearch(transaction);
    await createIdempotencyKeys(transaction, definitions);
    await createAuditEntries(transaction, definitions);
    await createAccountDeletions(transaction, definitions);
  },
};

/** Search indexes rely on the bounds of the ids. */
async function createAccounts(transaction: WriteConnection, definitions: DialectDefinitions): Promise<void> {
  const { build } = transaction;
  const { integer, text, tableEnd } = definitions;
  await transaction.write(
    build.schema
      .createTable("accounts")
      .addColumn("id", integer, (column) => column.primaryKey().check(sql`id between 1 and 2147483647`))
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("email", text, (column) => column.notNull())
      .addColumn("website_count", integer, (column) => column.notNull().check(sql`website_count >= 0`))
      .addColumn("website_limit", integer)
      .addColumn("last_website_id", integer, (column) =>
        column.notNull().check(sql`last_website_id between 0 and 4294967295`),
      )
      .addColumn("last_website_created_at", integer, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("updated_at", integer, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull().defaultTo(sql.lit(1)))
      .modifyEnd(tableEnd),
  );
}

async function createApiKeys(transaction: WriteConnection, definitions: DialectDefinitions): Promise<void> {
  const { build } = transaction;
  const { integer, bytes, text, tableEnd } = definitions;
  await transaction.write(
    build.schema
      .createTable("api_keys")
      .addColumn("id", integer, (column) => column.primaryKey())
      .addColumn("account_id", integer, (column) => column.notNull().references("accounts.id"))
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("prefix", text, (column) => column.notNull().unique())
      .addColumn("hash", bytes, (column) => column.notNull().unique())
      .addColumn("scopes", text, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("expires_at", integer)
      .addColumn("revoked_at", integer)
      .addColumn("last_used_at", integer)
      .addColumn("version", integer, (column) => column.notNull().defaultTo(sql.lit(1)))
      .addColumn("rate_limit", integer)
      .modifyEnd(tableEnd),
  );
  await transaction.write(build.schema.createIndex("api_keys_by_account").on("api_keys").columns(["account_id", "id"]));
}

/** Every key begins with the account, so that a page is one contiguous range and accounts can be on different machines. */
async function createWebsites(transaction: WriteConnection, definitions: DialectDefinitions): Promise<void> {
  const { build } = transaction;
  const { integer, text, clusteredTableEnd } = definitions;
  await transaction.write(
    build.schema
      .createTable("websites")
      .addColumn("account_id", integer, (column) => column.notNull().references("accounts.id"))
      .addColumn("id", integer, (column) => column.notNull())
      .addColumn("domain", text, (column) => column.notNull())
      .addColumn("privacy", integer, (column) => column.notNull())
      .addColumn("password_hash", text)
      .addColumn("email", integer, (column) => column.notNull())
      .addColumn("exclude_bots", integer, (column) => column.notNull())
      .addColumn("exclude_params", text, (column) => column.notNull())
      .addColumn("exclude_ips", text, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("updated_at", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("websites_primary_key", ["account_id", "id"])
      .addUniqueConstraint("websites_domain_unique", ["account_id", "domain"])
      .modifyEnd(clusteredTableEnd),
  );
}

/** Outcomes are deleted in order of their age, account by account. */
async function createIdempotencyKeys(
  { build, write }: WriteConnection,
  { integer, text, clusteredTableEnd }: DialectDefinitions,
): Promise<void> {
  await write(
    build.schema
      .createTable("idempotency_keys")
      .addColumn("account_id", integer, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("fingerprint", text, (column) => column.notNull())
      .addColumn("outcome", text, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("idempotency_keys_primary_key", ["account_id", "key"])
      .modifyEnd(clusteredTableEnd),
  );
  await write(
    build.schema.createIndex("idempotency_keys_by_age").on("idempotency_keys").columns(["account_id", "created_at"]),
  );
}

/** The trail is read in order of time: of the account, or of one record. */
async function createAuditEntries(
  { build, write }: WriteConnection,
  { integer, text, clusteredTableEnd }: DialectDefinitions,
): Promise<void> {
  await write(
    build.schema
      .createTable("audit_entries")
      .addColumn("account_id", integer, (column) => column.notNull())
      .addColumn("at", integer, (column) => column.notNull())
      .addColumn("subject", text, (column) => column.notNull())
      .addColumn("subject_id", integer, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull())
      .addColumn("action", text, (column) => column.notNull())
      .addColumn("api_key", text)
      .addColumn("operator", text)
      .addColumn("request_id", text)
      .addColumn("changes", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("audit_entries_primary_key", ["account_id", "at", "subject", "subject_id", "version"])
      .modifyEnd(clusteredTableEnd),
  );
  const bySubject = build.schema.createIndex("audit_entries_by_subject").on("audit_entries");
  await write(bySubject.columns(["account_id", "subject", "subject_id", "at", "version"]));
}

/** There is no foreign key: its rows outlive the accounts. */
async function createAccountDeletions(
  { build, write }: WriteConnection,
  { integer, tableEnd }: DialectDefinitions,
): Promise<void> {
  await write(
    build.schema
      .createTable("account_deletions")
      .addColumn("account_id", integer, (column) => column.primaryKey())
      .addColumn("last_api_key_id", integer, (column) => column.notNull())
      .addColumn("began_at", integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
  );
}
