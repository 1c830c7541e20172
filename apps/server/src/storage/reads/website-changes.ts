import type {
  ChangePosition,
  VersionedWebsite,
  WebsiteChanges,
  WebsiteChangesRequest,
  WebsiteStore,
} from "@siteward/service";
import type { Database, ReadConnection } from "../engine/database.ts";
import { firstRows, prepared, type Statement, sql } from "../engine/statement.ts";
import { readIfFound, versionedColumns, versionedLength } from "../tables/websites.ts";
import { joinedAccount } from "./account-reads.ts";

/**
 * Reads what has changed since a position. If nothing has, it reads only the row of the account. Otherwise one more
 * statement reads the next entries with their websites. So no website is older than its entry, also on a replica, and
 * the cost depends only on the size of the page.
 */
export function prepareWebsiteChanges(database: Database): WebsiteStore["changes"] {
  const read = async (reader: ReadConnection, accountId: number, request: WebsiteChangesRequest) => {
    const { since } = request;
    const [state] = await reader.read(findState, { accountId });
    if (state === undefined || state.newest.number < since.number) return "expired";
    if (state.newest.number > since.number) {
      const rows = await reader.read(selectChanges(request.perPage), { accountId, since: since.number });
      return toChanges(
        rows.toSorted((left, right) => left.number - right.number),
        request,
      );
    }
    if (state.newest.at !== since.at) return "expired";
    return { websites: [], deletedIds: [], end: since, newest: since, total: state.total };
  };
  return async (accountId, request) => {
    const found = await database.readUpToDate((reader) => read(reader, accountId, request));
    // A replica must not make a client read everything again because it is behind.
    return found === "expired" ? read(database.primary, accountId, request) : found;
  };
}

interface AccountState {
  readonly newest: ChangePosition;
  /** How many websites it has. */
  readonly total: number;
}

const stateColumns = sql`change_count, changed_at, website_count`;

function readState([number, at, total]: readonly unknown[]): AccountState {
  return { newest: { number: Number(number), at: Number(at) }, total: Number(total) };
}

/** Selects the state of an account. */
export const findState: Statement<AccountState> = prepared(
  sql`select ${stateColumns} from accounts where id = :accountId`,
  (rows) => rows.map(readState),
);

interface ChangeRow {
  readonly number: number;
  readonly at: number;
  readonly websiteId: number;
  /** The number of the newest change of the website on this page. */
  readonly newestOfWebsite: number;
  /** The time of the change at the position. Undefined if it is not known. */
  readonly sinceAt: number | undefined;
  readonly state: AccountState;
  /** Undefined unless this is the newest change of the website on this page, and the website exists. */
  readonly current: VersionedWebsite | undefined;
}

/**
 * Reads the next entries of the trail after a position. With the second limit, PostgreSQL knows that it must look up
 * few websites, and does not read all of the account.
 */
function selectChanges(limit: number): Statement<ChangeRow> {
  return prepared(
    sql`select ${versionedColumns}, entry.position, entry.at, entry.subject_id, entry.newest_of_website,
      case when :since = 0 then account.counted_since
        else (select at from audit_entries where account_id = :accountId and position = :since) end,
      ${stateColumns}
    from ${joinedAccount}
    join (
      select position, at, subject_id, max(position) over (partition by subject_id) as newest_of_website
      from (
        select position, at, subject_id from audit_entries where account_id = :accountId and position > :since
        order by position ${firstRows(limit)}
      ) as page limit ${limit}
    ) as entry on true
    left join websites on websites.account_id = :accountId and websites.id = entry.subject_id
      and entry.newest_of_website = entry.position`,
    (rows) => rows.map(readChange),
  );
}

function readChange(values: readonly unknown[]): ChangeRow {
  const [number, at, websiteId, newestOfWebsite, sinceAt, ...state] = values.slice(versionedLength);
  return {
    number: Number(number),
    at: Number(at),
    websiteId: Number(websiteId),
    newestOfWebsite: Number(newestOfWebsite),
    sinceAt: sinceAt === null ? undefined : Number(sinceAt),
    state: readState(state),
    current: readIfFound(values),
  };
}

/** @param rows in the order of their numbers */
function toChanges(rows: readonly ChangeRow[], { since, perPage }: WebsiteChangesRequest): WebsiteChanges | "expired" {
  const last = rows.at(-1);
  if (last === undefined || last.sinceAt !== since.at) return "expired";
  const { newest, total } = last.state;
  // Retention deletes the entries with the oldest times. If clocks differ, these need not be the first.
  const isComplete = rows.length === Math.min(perPage, newest.number - since.number);
  if (!isComplete || rows.some(({ number }, index) => number !== since.number + 1 + index)) return "expired";
  const changed = rows.filter(({ number, newestOfWebsite }) => number === newestOfWebsite);
  return {
    websites: changed.flatMap(({ current }) => current ?? []),
    deletedIds: changed.filter(({ current }) => current === undefined).map(({ websiteId }) => websiteId),
    end: { number: last.number, at: last.at },
    newest,
    total,
  };
}
