import { sql } from "kysely";
import type { WriteConnection } from "../database/database.ts";
import type { Migration } from "./migration.ts";

/**
 * Replaces the index of the trail by record. Each entry of a website gets the time of the one before it, and of deleted websites,
 * an index has the last entry.
 */
export const trailLinks: Migration = {
  version: 8,
  name: "trail-links",
  async up(transaction, { integer }) {
    const { build, write } = transaction;
    const { schema } = build;
    await write(schema.alterTable("audit_entries").addColumn("previous_at", integer));
    await fillColumn(transaction);
    await write(schema.dropIndex("audit_entries_by_subject"));
    // Only a database of before the first release has it, and no query uses it.
    await write(schema.dropIndex("audit_entries_by_api_key").ifExists());
    const deleted = schema.createIndex("audit_entries_deleted_websites").on("audit_entries");
    await write(
      deleted
        .columns(["account_id", "subject_id"])
        .where(sql.ref("subject"), "=", sql.lit("website"))
        .where(sql.ref("action"), "=", sql.lit("website.deleted")),
    );
  },
};

/**
 * Finds the entry before each one in the index that is dropped afterwards. If there is none, retention has deleted it: its time is
 * 0 then, at which there is no entry.
 *
 * One statement, since an engine runs it with little memory: a million entries took 7 s and 81 MB on SQLite, and 26 s on PostgreSQL. To
 * write the table anew took 5 s on SQLite, but left a file of twice the size. With a window function, it took 9 s and 43 s.
 *
 * With the plus, SQLite finds the version in the index too, not only the time. Without it, each of many changes that a website got at one
 * time, as while a clock was set back, was compared with the others: 10,000 took 3 s.
 */
async function fillColumn({ write }: WriteConnection): Promise<void> {
  await write(sql`
    update audit_entries set previous_at = coalesce((
      select earlier.at from audit_entries as earlier
      where earlier.account_id = audit_entries.account_id
        and earlier.subject = 'website' and earlier.subject_id = audit_entries.subject_id
        and (earlier.at, earlier.version) < (audit_entries.at, +audit_entries.version)
      order by earlier.at desc, earlier.version desc limit 1
    ), 0)
    where subject = 'website' and version > 1`);
}
