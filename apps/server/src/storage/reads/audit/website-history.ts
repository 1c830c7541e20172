import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { AuditPosition } from "../../interface/audit-store.ts";
import { auditEntries } from "../../tables/audit-entries.ts";
import type { Schema } from "../../tables/schema.ts";
import { columnNames } from "../../tables/table.ts";

/** How many entries of a filtered trail one call reads. Without an end, it could read all of a long one to find few. */
export const maxReadEntries = 1_000;

/** Which entries of an account to read, the newest first. */
export interface TrailRequest {
  readonly accountId: number;
  readonly since?: number | undefined;
  readonly after?: AuditPosition | undefined;
  readonly filters: readonly RawBuilder<boolean>[];
  readonly limit: number;
}

type AuditRow = Schema["audit_entries"];

/** The columns of an entry's position. */
export type AuditPlace = Pick<AuditRow, "at" | "subject" | "subject_id" | "version">;

export interface TrailPart {
  /** The entries, and at least one more if there is one. */
  readonly rows: readonly AuditRow[];
  /** The last entry that was read. Undefined if none is left. */
  readonly end: AuditPlace | undefined;
}

/**
 * Reads the trail of one website without an index: each entry stores the time of the entry before it, and the record that of the
 * newest entry.
 *
 * @returns undefined if the position is of another record, or its entry was deleted
 */
export async function readWebsiteHistory(
  { primary }: Database,
  websiteId: number,
  request: TrailRequest,
): Promise<TrailPart | undefined> {
  const { accountId, after, filters, limit } = request;
  if (after !== undefined && (after.subject !== "website" || after.subjectId !== websiteId)) return undefined;
  const [start] = after === undefined ? await primary.read(selectNewest(accountId, websiteId)) : [after];
  if (start === undefined) return { rows: [], end: undefined };
  const length = filters.length === 0 ? Math.min(limit + 1, maxReadEntries) : maxReadEntries;
  // The end tells whether there is more, also if it is not selected.
  const isSelected = sql.join([sql`place > 0`, ...filters], sql` and `);
  const walked = await primary.read(sql<WalkedRow>`
    ${walkBack(websiteId, request, { start, length })}
    select ${columnsOf("history")}, place, case when ${isSelected} then 1 else 0 end as is_selected from history
    where ${isSelected} or place in (0, ${length}) order by place limit ${limit + 2}`);
  const [first] = walked;
  if (after !== undefined && (first === undefined || first.place > 0)) return undefined;
  const last = walked.at(-1);
  const hasMore = last !== undefined && last.place === length && last.version > 1;
  return { rows: walked.filter((row) => row.is_selected), end: hasMore ? last : undefined };
}

/** An entry, how many newer ones were read, and whether it is one of those that are asked for. */
interface WalkedRow extends AuditRow {
  readonly place: number;
  readonly is_selected: number;
}

/** When a version of a website was made. */
type Version = Pick<AuditRow, "at" | "version">;

/** Ids are never used again, so there is either the record or its deletion. */
function selectNewest(accountId: number, websiteId: number): RawBuilder<Version> {
  return sql`
    select updated_at as at, version from websites where account_id = ${accountId} and id = ${websiteId}
    union all
    select at, version from audit_entries where account_id = ${accountId} and subject_id = ${websiteId}
      and subject = 'website' and action = 'website.deleted'`;
}

/** Reads the entries from a version on. Their places count from 1, or from 0 if the first is that of the position. */
function walkBack(
  websiteId: number,
  { accountId, since = 0, after }: TrailRequest,
  { start, length }: { readonly start: Version; readonly length: number },
): RawBuilder<unknown> {
  const ofWebsite = sql`entry.account_id = ${accountId} and entry.subject = 'website' and entry.subject_id = ${websiteId}`;
  // SQLite reads the tables of a cross join in this order. In the other one, it read the entire account again and again.
  return sql`
    with recursive history as (
      select ${columnsOf("entry")}, ${sql.lit(after === undefined ? 1 : 0)} as place from audit_entries as entry
      where ${ofWebsite} and entry.at = ${start.at} and entry.version = ${start.version} and entry.at >= ${since}
      union all
      select ${columnsOf("entry")}, history.place + 1 from history cross join audit_entries as entry
      where ${ofWebsite} and entry.at = history.previous_at and entry.version = history.version - 1
        and history.previous_at >= ${since} and history.place < ${length}
    )`;
}

function columnsOf(table: "entry" | "history"): RawBuilder<unknown> {
  return sql.join(columnNames(auditEntries).map((name) => sql.ref(`${table}.${name}`)));
}
