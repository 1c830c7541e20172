import type { Database } from "../engine/database.ts";
import { firstRows, listNames, nameEach, type Sql, sql } from "../engine/statement.ts";
import type { AuditEntry, AuditListRequest, AuditPosition, AuditStore } from "../interface/audit-store.ts";
import { readChanges } from "../tables/audit-changes.ts";
import { type AuditEntryRow, auditEntries } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";

/** How many entries of a filtered trail one call reads. Without an end, it could read all of a long one to find few. */
const maxReadEntries = 1_000;

/** Which entries of an account to read, the newest first. */
type TrailRequest = Omit<AuditListRequest, "websiteId"> & { readonly accountId: number };

interface TrailPart {
  /** The entries, and at least one more if there is one. */
  readonly rows: readonly AuditEntryRow[];
  /** The last entry that was read. Undefined if none is left. */
  readonly end: AuditPosition | undefined;
}

export function createAuditStore(database: Database): AuditStore {
  return {
    async list(accountId, { websiteId, ...range }) {
      const request = { accountId, ...range };
      const { rows, end } =
        websiteId === undefined
          ? await readAccount(database, request)
          : await readHistory(database, websiteId, request);
      const entries = rows.slice(0, range.limit).map(toEntry);
      return { entries, next: rows.length > range.limit ? entries.at(-1) : end };
    },
  };
}

const columns = listNames(columnNames(auditEntries));
const placeColumns = ["at", "subject", "subject_id", "version"] as const;
const place = listNames(placeColumns);
const newestFirst = sql`order by at desc, subject desc, subject_id desc, version desc`;

async function readAccount({ primary }: Pick<Database, "primary">, request: TrailRequest): Promise<TrailPart> {
  const { accountId, since = 0, after, apiKey, limit } = request;
  const afterPlace = placeOf("after", after);
  const values = { accountId, since, ...afterPlace.values, apiKey };
  // Compares columns all at once, so that an engine starts at the place in the index.
  const isAfter = after === undefined ? sql`true` : sql`(${place}) < (${afterPlace.names})`;
  const range = sql`audit_entries where account_id = :accountId and ${isAfter}`;
  // The last entry that one call reads. Undefined if it reads all that are left.
  const last = sql`select ${place} from ${range} and at >= :since ${newestFirst} ${firstRows(1, maxReadEntries - 1)}`;
  const [end] = apiKey === undefined ? [] : await primary.read<AuditPosition>(last, values);
  // With both, SQLite would read on to `since`: a filter of 500,000 entries took 10.1 instead of 0.6 s.
  const endPlace = placeOf("end", end);
  const isUntil = end === undefined ? sql`at >= :since` : sql`(${place}) >= (${endPlace.names})`;
  const rows = await primary.read<AuditEntryRow>(
    sql`select ${columns} from ${range} and ${isUntil} and ${isBy(apiKey)} ${newestFirst} ${firstRows(limit + 1)}`,
    { ...values, ...endPlace.values },
  );
  return { rows, end };
}

/** No index answers this condition. */
function isBy(apiKey: string | undefined): Sql {
  return apiKey === undefined ? sql`true` : sql`api_key = :apiKey`;
}

/** The values of a position under names of their own. */
function placeOf(name: string, position: AuditPosition | undefined) {
  const values = placeColumns.map((column) => position?.[column]);
  return nameEach(name, values);
}

function toEntry({ at, subject, subject_id, version, action, changes, ...author }: AuditEntryRow): AuditEntry {
  const by = { apiKey: author.api_key, operator: author.operator, requestId: author.request_id };
  return { at, subject, subject_id, version, action, by, changes: readChanges(changes) };
}

/**
 * Reads the trail of one website without an index: each entry stores the time of the entry before it, and the record
 * that of the newest entry. A position is that of an entry of the website. If it was deleted, so were the older ones.
 */
async function readHistory(
  { primary }: Pick<Database, "primary">,
  websiteId: number,
  request: TrailRequest,
): Promise<TrailPart> {
  const { accountId, since = 0, after, apiKey, limit } = request;
  const [start] = after === undefined ? await primary.read<Version>(selectNewest, { accountId, websiteId }) : [after];
  if (start === undefined) return { rows: [], end: undefined };
  const length = apiKey === undefined ? Math.min(limit + 1, maxReadEntries) : maxReadEntries;
  // The end tells whether there is more, also if it is not selected.
  const isSelected = sql`place > 0 and ${isBy(apiKey)}`;
  const walked = await primary.read<WalkedRow>(
    sql`${walkBack(after === undefined ? 1 : 0)}
    select ${columns}, place, case when ${isSelected} then 1 else 0 end as is_selected from history
    where ${isSelected} or place = :length order by place ${firstRows(limit + 1)}`,
    { accountId, websiteId, since, apiKey, length, startAt: start.at, startVersion: start.version },
  );
  const last = walked.at(-1);
  const hasMore = last !== undefined && last.place === length && last.version > 1;
  return { rows: walked.filter((row) => row.is_selected), end: hasMore ? last : undefined };
}

/** An entry, how many newer ones were read, and whether it is one of those that are asked for. */
interface WalkedRow extends AuditEntryRow {
  readonly place: number;
  readonly is_selected: number;
}

type Version = Pick<AuditEntryRow, "at" | "version">;

/** Ids are never used again, so there is either the record or its deletion. */
const selectNewest = sql`
  select updated_at as at, version from websites where account_id = :accountId and id = :websiteId
  union all
  select at, version from audit_entries where account_id = :accountId and subject_id = :websiteId
    and subject = 'website' and action = 'website.deleted'`;

const entryColumns = listNames(columnNames(auditEntries), (name) => sql`entry.${name}`);
const ofWebsite = sql`entry.account_id = :accountId and entry.subject = 'website' and entry.subject_id = :websiteId`;

/**
 * Reads the entries from a version on. SQLite reads the tables of a cross join in this order. In the other one, it read
 * the entire account again and again.
 *
 * @param firstPlace 1, or 0 if the first entry is that of the position
 */
function walkBack(firstPlace: 0 | 1): Sql {
  return sql`
    with recursive history as (
      select ${entryColumns}, ${firstPlace} as place from audit_entries as entry
      where ${ofWebsite} and entry.at = :startAt and entry.version = :startVersion and entry.at >= :since
      union all
      select ${entryColumns}, history.place + 1 from history cross join audit_entries as entry
      where ${ofWebsite} and entry.at = history.previous_at and entry.version = history.version - 1
        and history.previous_at >= :since and history.place < :length
    )`;
}
