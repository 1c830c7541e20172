/** The values of a record's fields, in the form that people read. Undefined fields are left out. */
export type AuditedFields = Readonly<Record<string, unknown>>;

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
  const changes: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to };
  }
  return JSON.stringify({ ...changes, ...secrets });
}
