import type { AuditChanges } from "../../../src/storage/interface/audit-store.ts";

/** Returns a field after a change that the audit trail recorded. */
export function applyAudited(before: unknown, change: Exclude<AuditChanges[string], string>): unknown {
  if ("to" in change) return change.to;
  const { added, removed, at } = change;
  // The cast is safe: only the change of a list tells what was added to it.
  const after = (before as readonly unknown[]).filter((entry) => !removed.includes(entry));
  for (const [index, entry] of added.entries()) after.splice(at?.[index] ?? after.length, 0, entry);
  return after;
}
