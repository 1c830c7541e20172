import type { Database, WriteConnection } from "../../database/database.ts";
import { type Placeholder, placeholderRow, prepare } from "../../database/prepare.ts";
import { auditEntries } from "../../tables/audit-entries.ts";
import type { AuditEntryRow } from "./audit-entry.ts";

/**
 * Returns a function that inserts an entry in the transaction of its change. Nothing in the transaction reads it, so an engine
 * may insert the entries of several transactions together.
 */
export function prepareInsertAuditEntry({ build }: Pick<Database, "build">) {
  const insert = prepare((value: Placeholder<AuditEntryRow>) =>
    build.insertInto("audit_entries").values(placeholderRow(auditEntries, value)),
  );
  return async (transaction: WriteConnection, entry: AuditEntryRow): Promise<void> => {
    await transaction.writeAtCommit(insert(entry));
  };
}
