import type { AuditChanges } from "../../../src/storage/interface/audit-store.ts";
import { readChanges } from "../../../src/storage/tables/audit-changes.ts";
import type { Schema } from "../../../src/storage/tables/schema.ts";
import { readInstallation } from "./read-installation.ts";

type Entry = Omit<Schema["audit_entries"], "changes" | "previous_at" | "position"> & { readonly changes: AuditChanges };

/** Reads the audit trail of a database in the order in which the entries were written, without what links and numbers them. */
export async function readAuditEntries(databaseUrl: string): Promise<Entry[]> {
  const { auditEntries } = await readInstallation(databaseUrl);
  return auditEntries
    .toSorted((left, right) => left.at - right.at)
    .map(({ previous_at: _, position: __, ...entry }) => ({ ...entry, changes: readChanges(entry.changes) }));
}
