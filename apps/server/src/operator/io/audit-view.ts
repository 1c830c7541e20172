import type { AuditChanges, AuditEntry } from "../../storage/audit-trail.ts";
import { safeText } from "./safe-text.ts";

/** How much of a value a line shows. JSON shows all. */
const maxValueLength = 60;

/** Returns what JSON shows of an entry. */
export function toAuditView(entry: AuditEntry): Record<string, unknown> {
  const { at, action, subject, subjectId, version, by, changes } = entry;
  return {
    at: new Date(at).toISOString(),
    action,
    subject,
    subject_id: subjectId,
    version,
    actor: by.apiKey === null ? { operator: by.operator } : { api_key: by.apiKey },
    request_id: by.requestId,
    changes,
  };
}

export const auditHeadings = ["TIME", "BY", "ACTION", "RECORD", "CHANGES"];

/** Returns the cells of an entry in a table, none of which can control the terminal. */
export function toAuditRow({ at, action, subject, subjectId, by, changes }: AuditEntry): string[] {
  const author = by.apiKey ?? `operator ${by.operator ?? "unknown"}`;
  const record = `${subject.replace("_", " ")} ${subjectId}`;
  return [new Date(at).toISOString(), author, action, record, describeChanges(changes)].map(safeText);
}

/** Such as `privacy 0 → 1, password set`. */
function describeChanges(changes: AuditChanges): string {
  return Object.entries(changes)
    .map(([name, change]) => `${name} ${typeof change === "string" ? change : describeValues(change)}`)
    .join(", ");
}

/** A field that did not exist before or does not exist after the change has only one value. */
function describeValues({ from, to }: Exclude<AuditChanges[string], string>): string {
  if (from === null) return describeValue(to);
  return to === null ? describeValue(from) : `${describeValue(from)} → ${describeValue(to)}`;
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
