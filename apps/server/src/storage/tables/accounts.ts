import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** Accounts with their counters. Times are milliseconds since 1970. */
export const accounts = defineTable({
  name: "accounts",
  columns: {
    id: stored<number>(),
    name: stored<string>(),
    email: stored<string>(),
    /** Changed in the transactions that insert and delete websites, so that it is exact. */
    website_count: stored<number>(),
    /** Null means no limit. */
    website_limit: stored<number | null>(),
    /** The highest website id ever assigned. An id is never assigned twice. */
    last_website_id: stored<number>(),
    /**
     * The time of the newest creation or deletion. A website never gets an earlier creation time, even if the clock goes
     * backwards: the audit trail is in order of time.
     */
    last_website_created_at: stored<number>(),
    created_at: stored<number>(),
    updated_at: stored<number>(),
    /** Counts from 1 and rises with every change of the name, the e-mail address or the limit. */
    version: stored<number>(),
    /** The day (UTC) of `trail_bytes`, counted from 1970-01-01. */
    trail_day: stored<number>(),
    /** What the changes of the account have left in the audit trail on that day, in bytes. */
    trail_bytes: stored<number>(),
    /** How many changes of websites were counted. Each has its number in the audit trail. */
    change_count: stored<number>(),
    /** The time of the newest of them, as its entry has it, or `counted_since`. */
    changed_at: stored<number>(),
    /** When the count began: when the account was created. */
    counted_since: stored<number>(),
  },
  key: ["id"],
  distributedBy: "id",
});
