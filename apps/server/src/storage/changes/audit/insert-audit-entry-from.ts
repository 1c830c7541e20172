import { type RawBuilder, sql } from "kysely";
import type { Placeholder } from "../../database/prepare.ts";
import { rowFrom } from "../../database/row-from.ts";
import { auditEntries } from "../../tables/audit-entries.ts";
import { columnNames } from "../../tables/table.ts";
import type { AuditEntryRow } from "./audit-entry.ts";

/**
 * Builds the insert of an entry for each row of `source`, for a statement that changes several tables. So there is an entry
 * exactly if there is a change.
 *
 * @param given the columns whose values come from `source`
 */
export function insertAuditEntryFrom<Given extends keyof AuditEntryRow = never>(
  source: string,
  value: Placeholder<Omit<AuditEntryRow, Given>>,
  given: Readonly<Record<Given, RawBuilder<unknown>>>,
): RawBuilder<Record<string, never>> {
  const columns = columnNames(auditEntries).map((name) => sql.ref(name));
  const row = rowFrom(auditEntries, value, given);
  // Kysely adds no parentheses around raw SQL.
  return sql`(insert into ${sql.table(auditEntries.name)} (${sql.join(columns)}) select ${sql.join(row)} from ${sql.table(source)})`;
}
