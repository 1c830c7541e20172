import type { ChangeAuthor } from "@siteward/service";
import { auditedFields } from "../../reads/api-keys/api-key-row.ts";
import { type AuditedFields, describeChanges } from "../../tables/audit-changes.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { type AuditEntryRow, type AuditedRecord, toAuditEntryRow } from "../audit/audit-entry.ts";

/** A change of a key. */
export interface AuditedApiKey {
  readonly action: AuditedRecord["action"];
  /** Undefined if the key is new. */
  readonly before: ApiKeyRow | undefined;
  readonly after: ApiKeyRow;
  /** What else the entry says about the key after the change. */
  readonly also?: AuditedFields;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  readonly by: ChangeAuthor;
}

/** Returns the entry in the audit trail for a change of a key. */
export function toApiKeyEntry({ action, before, after, also = {}, at, by }: AuditedApiKey): AuditEntryRow {
  const { account_id: accountId, id: subjectId, version } = after;
  const fields = { ...auditedFields(after), ...also };
  const changes = describeChanges(before === undefined ? {} : auditedFields(before), fields);
  return toAuditEntryRow({ accountId, subject: "api_key", subjectId, version, action, at }, { by, changes });
}
