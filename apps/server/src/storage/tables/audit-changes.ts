import { isSameValue } from "@siteward/service";
import type { AuditChanges } from "../interface/audit-store.ts";

/** The values of a record's fields, in the form that people read. Undefined fields are left out. */
export type AuditedFields = Readonly<Record<string, unknown>>;

/** A change as it is stored: the value before and the value after. Their names would take a third of most entries. */
type StoredChange = readonly [from: unknown, to: unknown];
type StoredChanges = Readonly<Record<string, StoredChange | "set" | "cleared">>;

/**
 * Describes a change of a record as JSON: each field whose value differs, with its values before and after. A field that one
 * of the two does not have is null there. Do not pass a secret, only whether it was `"set"` or `"cleared"`.
 *
 * @param secrets what happened to the secrets of the record, by field
 */
export function describeChanges(
  before: AuditedFields,
  after: AuditedFields,
  secrets: Readonly<Record<string, "set" | "cleared">> = {},
): string {
  const changes: Record<string, StoredChange | "set" | "cleared"> = {};
  for (const name in after) {
    const from = before[name] ?? null;
    const to = after[name] ?? null;
    if (!isSameValue(from, to)) changes[name] = [from, to];
  }
  for (const name in before) {
    const from = before[name] ?? null;
    if (!(name in after) && from !== null) changes[name] = [from, null];
  }
  return JSON.stringify(Object.assign(changes, secrets) satisfies StoredChanges);
}

/** Returns the changes that {@link describeChanges} described. */
export function readChanges(described: string): AuditChanges {
  // The cast is safe: only `describeChanges` writes the column.
  const stored = Object.entries(JSON.parse(described) as StoredChanges);
  const changes = stored.map(([name, change]) => [
    name,
    typeof change === "string" ? change : { from: change[0], to: change[1] },
  ]);
  return Object.fromEntries(changes);
}
