import type { AuditSubject } from "../interface/audit-store.ts";
import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/**
 * The audit trail: one entry for each change of a website, an API key or an account, written in the transaction of the change.
 *
 * The key is natural: a version of a record exists once. Entries refer to records that may be deleted, so there are no foreign keys.
 *
 * An entry is the last one of its account, so it is appended. No index has the entries by website, because each change would
 * write to it at another place. Instead, each entry stores the time of the entry before it. The record has the time and the
 * version of its newest entry. The entry of a deletion is in an index that only deletions change.
 */
export const auditEntries = defineTable({
  name: "audit_entries",
  columns: {
    account_id: stored<number>(),
    /** The time of the change, in milliseconds since 1970. */
    at: stored<number>(),
    subject: stored<AuditSubject>(),
    subject_id: stored<number>(),
    /** The version of the record after the change. A deletion counts as one more version. */
    version: stored<number>(),
    /** Such as `website.created`. */
    action: stored<string>(),
    /** The prefix of the API key that made the change, or null if an operator did. */
    api_key: stored<string | null>(),
    /** The name of the operating system's user who made the change, or null if an API key did. */
    operator: stored<string | null>(),
    request_id: stored<string | null>(),
    /** A JSON object: the fields that changed, each with its values before and after. Never a secret. See `audit/`. */
    changes: stored<string>(),
    /**
     * Of a website, the time of its entry with the version before, which retention may have deleted. Null for a creation and for
     * other subjects.
     */
    previous_at: stored<number | null>(),
    /**
     * Of a website, the number of the change in its account: 1 more than that of the change that was committed before it. Null for other
     * subjects.
     */
    position: stored<number | null>(),
  },
  key: ["account_id", "at", "subject", "subject_id", "version"],
  distributedBy: "account_id",
});
