import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Counts what the changes of each account leave in the audit trail in a day. */
export const trailBytes: Migration = {
  version: 7,
  name: "trail-bytes",
  async up({ build: { schema }, write }, { integer }) {
    for (const name of ["trail_day", "trail_bytes"]) {
      const alter = schema.alterTable("accounts");
      await write(alter.addColumn(name, integer, (column) => column.notNull().defaultTo(sql.lit(0))));
    }
  },
};
