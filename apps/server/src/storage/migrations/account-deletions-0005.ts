import type { Migration } from "./migration.ts";

/** Creates the table of deleted accounts. It has no foreign key: its rows outlive the accounts. */
export const accountDeletions: Migration = {
  version: 5,
  name: "account-deletions",
  async up({ build, write }, { integer, tableEnd }) {
    await write(
      build.schema
        .createTable("account_deletions")
        .addColumn("account_id", integer, (column) => column.primaryKey())
        .addColumn("last_api_key_id", integer, (column) => column.notNull())
        .addColumn("began_at", integer, (column) => column.notNull())
        .modifyEnd(tableEnd),
    );
  },
};
