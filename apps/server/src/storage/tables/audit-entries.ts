import type { AuditSubject } from "../interface/audit-store.ts";
import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/**
 * The audit trail: one entry for each change of a website, an API key or an account, written in the transaction of the change.
 *
 * The key is natural: a version of a record exists once. An entry needs no number from a counter, so that an update need not
 * lock the row of the account. Entries refer to records that may be deleted, so there are no foreign keys.
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
  },
  key: ["account_id", "at", "subject", "subject_id", "version"],
  distributedBy: "account_id",
});
