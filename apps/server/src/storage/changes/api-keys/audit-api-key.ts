import type { ChangeAuthor } from "@siteward/service";
import type { Database, WriteConnection } from "../../database/database.ts";
import { auditedFields } from "../../reads/api-keys/api-key-row.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { type AuditedRecord, toAuditEntryRow } from "../audit/audit-entry.ts";
import { type AuditedFields, describeChanges } from "../audit/describe-changes.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";

/** A change of a key. */
export interface AuditedApiKeyChange {
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

/** Returns a function that records a change of a key in the transaction of the change. */
export function prepareAuditApiKey(database: Pick<Database, "build">) {
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return (transaction: WriteConnection, change: AuditedApiKeyChange): Promise<void> => {
    const { action, before, after, also = {}, at, by } = change;
    const { account_id: accountId, id: subjectId, version } = after;
    const changes = describeChanges(before === undefined ? {} : auditedFields(before), {
      ...auditedFields(after),
      ...also,
    });
    const record = { accountId, subject: "api_key", subjectId, version, action, at } as const;
    return insertAuditEntry(transaction, toAuditEntryRow(record, { by, changes }));
  };
}
