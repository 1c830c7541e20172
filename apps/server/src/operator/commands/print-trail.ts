import type { AuditEntry } from "../../storage/interface/audit-store.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { readTrail, type Trail } from "../database/read-trail.ts";
import { renderAuditCsv, renderAuditCsvHeader } from "../io/audit-csv.ts";
import { auditHeadings, toAuditRow, toAuditView } from "../io/audit-view.ts";
import type { CommandContext } from "../io/command-context.ts";
import { safeJson } from "../io/safe-text.ts";
import { renderTable } from "../io/table.ts";
import { encodeAuditCursor } from "../options/audit-cursor.ts";

/** How a trail is printed. Lists are in memory until they are printed. NDJSON and CSV are printed page by page. */
export type TrailFormat = "table" | "json" | "ndjson" | "csv";

/** The largest number of entries of a list, if the operator names none. */
export const defaultListed = 50;

/** Prints a part of an account's trail. */
export async function printTrail(
  context: CommandContext,
  { audit }: Pick<Storage, "audit">,
  { format, ...trail }: Trail & { readonly format: TrailFormat },
): Promise<void> {
  if (format === "csv") context.print(renderAuditCsvHeader());
  if (format === "ndjson") await printPages(context, audit, { trail, render: renderNdjson });
  else if (format === "csv") await printPages(context, audit, { trail, render: renderAuditCsv });
  else await printList(context, audit, { trail, isJson: format === "json" });
}

interface Pages {
  readonly trail: Trail;
  readonly render: (entries: readonly AuditEntry[]) => string;
}

/** Prints each page as soon as it is read, and reads the next one when the reader has taken it. */
async function printPages(context: CommandContext, audit: Storage["audit"], { trail, render }: Pages): Promise<void> {
  for await (const { entries } of readTrail(audit, trail)) {
    if (entries.length === 0) continue;
    context.print(render(entries));
    await context.untilPrinted();
  }
}

function renderNdjson(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => safeJson(toAuditView(entry))).join("\n");
}

interface List {
  readonly trail: Trail;
  readonly isJson: boolean;
}

async function printList(context: CommandContext, audit: Storage["audit"], { trail, isJson }: List): Promise<void> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  for await (const page of readTrail(audit, { ...trail, limit: trail.limit ?? defaultListed })) {
    entries.push(...page.entries);
    cursor = page.next === undefined ? null : encodeAuditCursor(trail.accountId, page.next);
  }
  if (isJson) {
    context.print(safeJson({ data: entries.map(toAuditView), next_cursor: cursor }));
    return;
  }
  for (const line of renderTable(auditHeadings, entries.map(toAuditRow))) context.print(line);
  if (cursor !== null) context.note(`There are older entries. Add --cursor ${cursor} to see them.`);
}
