import { sql } from "kysely";
import type { DialectDefinitions, WriteConnection } from "../database/database.ts";
import type { Migration } from "./migration.ts";

/** Creates accounts, API keys and websites. */
export const initial: Migration = {
  version: 1,
  name: "initial",
  async up(transaction, definitions) {
    await createAccounts(transaction, definitions);
    await createApiKeys(transaction, definitions);
    await createWebsites(transaction, definitions);
    await definitions.createWebsiteSearch(transaction);
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
