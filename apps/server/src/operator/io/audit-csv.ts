import { stringify } from "csv-stringify/sync";
import type { AuditEntry } from "../../storage/interface/audit-store.ts";
import { safeJson, safeText } from "./safe-text.ts";

/** The columns of an entry: those of JSON, but the author is two of them, one of which is empty. */
const columns = ["at", "action", "subject", "subject_id", "version", "api_key", "operator", "request_id", "changes"];

/** Renders entries as lines of CSV (RFC 4180). No cell can control a terminal or is a formula for a spreadsheet. */
export function renderAuditCsv(entries: readonly AuditEntry[]): string {
  return renderLines(entries.map(toCells));
}

/** Returns the first line. */
export function renderAuditCsvHeader(): string {
  return renderLines([columns]);
}

function toCells({ at, action, subject, subjectId, version, by, changes }: AuditEntry): string[] {
  const author = [by.apiKey ?? "", by.operator ?? "", by.requestId ?? ""].map(safeText);
  return [new Date(at).toISOString(), action, subject, `${subjectId}`, `${version}`, ...author, safeJson(changes)];
}

/** Without the line feed of the last line, which printing adds. */
function renderLines(rows: readonly string[][]): string {
  return stringify([...rows], { escape_formulas: true, record_delimiter: "windows" }).slice(0, -1);
}
