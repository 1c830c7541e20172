import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Numbers the changes of the websites of each account. Entries from before have no number.
 *
 * The count begins at the time of the migration. A backup of before, restored and migrated again, has another beginning, so nobody
 * continues in it where they were in the first one.
 */
export const changeNumbers: Migration = {
  version: 9,
  name: "change-numbers",
  async up({ build, write }, { integer }, nowMs) {
    const { schema } = build;
    for (const name of ["change_count", "changed_at", "counted_since"]) {
      const alter = schema.alterTable("accounts");
      await write(alter.addColumn(name, integer, (column) => column.notNull().defaultTo(sql.lit(0))));
    }
    await write(build.updateTable("accounts").set({ changed_at: nowMs, counted_since: nowMs }));
    await write(schema.alterTable("audit_entries").addColumn("position", integer));
    const index = schema.createIndex("audit_entries_by_position").on("audit_entries");
    await write(index.columns(["account_id", "position"]).where(sql.ref("position"), "is not", null));
  },
};
