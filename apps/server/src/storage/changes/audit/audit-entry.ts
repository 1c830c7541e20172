import type { ChangeAuthor } from "@siteward/service";
import type { AuditAction, AuditSubject } from "../../interface/audit-store.ts";
import type { Schema } from "../../tables/schema.ts";

export type AuditEntryRow = Schema["audit_entries"];

/** A change as the audit trail records it. */
export interface AuditedChange {
  readonly by: ChangeAuthor;
  /** A JSON object: each field that changes, with its values before and after. */
  readonly changes: string;
}

/** What changed, and how. */
export interface AuditedRecord {
  readonly accountId: number;
  readonly subject: AuditSubject;
  readonly subjectId: number;
  /** The version of the record after the change. */
  readonly version: number;
  readonly action: AuditAction;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  /** The time of the change before, if a website was changed before. */
  readonly previousAt?: number;
}

/** Returns the row of an entry. */
export function toAuditEntryRow(
  { accountId, subject, subjectId, version, action, at, previousAt }: AuditedRecord,
  { by, changes }: AuditedChange,
): AuditEntryRow {
  return {
    account_id: accountId,
    at,
    subject,
    subject_id: subjectId,
    version,
    action,
    api_key: by.apiKey,
    operator: by.operator,
    request_id: by.requestId,
    changes,
    previous_at: previousAt ?? null,
    // A change of a website gets its number from the row of the account.
    position: null,
  };
}
