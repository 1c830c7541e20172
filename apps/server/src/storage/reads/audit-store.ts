import { type RawBuilder, sql } from "kysely";
import type { Database } from "../engine/database.ts";
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

const columns = sql.join(columnNames(auditEntries).map((name) => sql.ref(name)));
const place = sql.raw("at, subject, subject_id, version");
const newestFirst = sql.raw("order by at desc, subject desc, subject_id desc, version desc");

async function readAccount({ primary }: Database, request: TrailRequest): Promise<TrailPart> {
  const { apiKey, limit } = request;
  // The last entry that one call reads. Undefined if it reads all that are left.
  const last = sql<AuditPosition>`select ${place} from ${selectRange(request)} ${newestFirst}
    limit 1 offset ${sql.lit(maxReadEntries - 1)}`;
  const [end] = apiKey === undefined ? [] : await primary.read(last);
  const rows = await primary.read(
    sql<AuditEntryRow>`select ${columns} from ${selectRange(request, end)} and ${isBy(apiKey)}
      ${newestFirst} limit ${limit + 1}`,
  );
  return { rows, end };
}

/** No index answers this condition. */
function isBy(apiKey: string | undefined): RawBuilder<unknown> {
  return apiKey === undefined ? sql`true` : sql`api_key = ${apiKey}`;
}

/** Compares columns all at once, so that an engine starts at the place in the index. */
function selectRange({ accountId, since = 0, after }: TrailRequest, until?: AuditPosition): RawBuilder<unknown> {
  const isAfter =
    after === undefined
      ? sql``
      : sql`and (${place}) < (${after.at}, ${after.subject}, ${after.subject_id}, ${after.version})`;
  // With both, SQLite would read on to `since`: a filter of 500,000 entries took 10.1 instead of 0.6 s.
  const isUntil =
    until === undefined
      ? sql`at >= ${since}`
      : sql`(${place}) >= (${until.at}, ${until.subject}, ${until.subject_id}, ${until.version})`;
  return sql`audit_entries where account_id = ${accountId} ${isAfter} and ${isUntil}`;
}

function toEntry({ at, subject, subject_id, version, action, changes, ...author }: AuditEntryRow): AuditEntry {
  const by = { apiKey: author.api_key, operator: author.operator, requestId: author.request_id };
  return { at, subject, subject_id, version, action, by, changes: readChanges(changes) };
}

/**
 * Reads the trail of one website without an index: each entry stores the time of the entry before it, and the record
 * that of the newest entry. A position is that of an entry of the website. If it was deleted, so were the older ones.
 */
async function readHistory({ primary }: Database, websiteId: number, request: TrailRequest): Promise<TrailPart> {
  const { accountId, after, apiKey, limit } = request;
  const [start] = after === undefined ? await primary.read(selectNewest(accountId, websiteId)) : [after];
  if (start === undefined) return { rows: [], end: undefined };
  const length = apiKey === undefined ? Math.min(limit + 1, maxReadEntries) : maxReadEntries;
  // The end tells whether there is more, also if it is not selected.
  const isSelected = sql`place > 0 and ${isBy(apiKey)}`;
  const walked = await primary.read(sql<WalkedRow>`
    ${walkBack(websiteId, request, { start, length })}
    select ${columns}, place, case when ${isSelected} then 1 else 0 end as is_selected from history
    where ${isSelected} or place = ${length} order by place limit ${limit + 1}`);
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
function selectNewest(accountId: number, websiteId: number): RawBuilder<Version> {
  return sql`
    select updated_at as at, version from websites where account_id = ${accountId} and id = ${websiteId}
    union all
    select at, version from audit_entries where account_id = ${accountId} and subject_id = ${websiteId}
      and subject = 'website' and action = 'website.deleted'`;
}

const entryColumns = sql.join(columnNames(auditEntries).map((name) => sql.ref(`entry.${name}`)));

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
      select ${entryColumns}, ${sql.lit(after === undefined ? 1 : 0)} as place from audit_entries as entry
      where ${ofWebsite} and entry.at = ${start.at} and entry.version = ${start.version} and entry.at >= ${since}
      union all
      select ${entryColumns}, history.place + 1 from history cross join audit_entries as entry
      where ${ofWebsite} and entry.at = history.previous_at and entry.version = history.version - 1
        and history.previous_at >= ${since} and history.place < ${length}
    )`;
}
