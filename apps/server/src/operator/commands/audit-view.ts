import { safeText } from "@siteward/start/safe-text";
import type { AuditChanges, AuditEntry, ListChange } from "../../storage/interface/audit-store.ts";

/** How much of a value a line shows. JSON shows all. */
const maxValueLength = 60;

export function toAuditView(accountId: number, entry: AuditEntry): Record<string, unknown> {
  const { at, action, subject, subject_id, version, by, changes } = entry;
  return {
    account_id: accountId,
    at: new Date(at).toISOString(),
    action,
    subject,
    subject_id,
    version,
    actor: by.apiKey === null ? { operator: by.operator } : { api_key: by.apiKey },
    request_id: by.requestId,
    changes,
  };
}

export const auditHeadings = ["ACCOUNT", "TIME", "BY", "ACTION", "RECORD", "CHANGES"];

/** Returns the cells of an entry in a table, none of which can control the terminal. */
export function toAuditRow(accountId: number, entry: AuditEntry): string[] {
  const { at, action, subject, subject_id: id, by } = entry;
  const author = by.apiKey ?? `operator ${by.operator ?? "unknown"}`;
  const record = `${subject.replace("_", " ")} ${id}`;
  return [`${accountId}`, new Date(at).toISOString(), author, action, record, describeChanges(entry)].map(safeText);
}

/** Such as `privacy 0 → 1, password set`. */
function describeChanges({ action, changes }: AuditEntry): string {
  const isUpdate = action.endsWith(".updated");
  const describe = (change: AuditChanges[string]): string => {
    if (typeof change === "string") return change;
    return "added" in change ? describeListChange(change) : describeValues(change, isUpdate);
  };
  return Object.entries(changes)
    .map(([name, change]) => `${name} ${describe(change)}`)
    .join(", ");
}

/** Such as `added ["utm_*"] removed ["gclid"]`. */
function describeListChange({ added, removed }: ListChange): string {
  const parts = Object.entries({ added, removed }).filter(([, entries]) => entries.length > 0);
  return parts.map(([what, entries]) => `${what} ${describeValue(entries)}`).join(" ");
}

type ValueChange = Exclude<AuditChanges[string], string | ListChange>;

/** An update shows both values: `500` alone does not say whether a limit was set or removed. */
function describeValues({ from, to }: ValueChange, isUpdate: boolean): string {
  const isOne = !isUpdate && (from === null || to === null);
  return isOne ? describeValue(from ?? to) : `${describeValue(from)} → ${describeValue(to)}`;
}

function describeValue(value: unknown): string {
  if (value === null) return "unset";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
