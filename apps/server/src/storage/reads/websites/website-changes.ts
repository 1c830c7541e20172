import type { ChangePosition, WebsiteChanges, WebsiteChangesRequest, WebsiteStore } from "@siteward/service";
import { sql } from "kysely";
import type { Database, ReadConnection } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
import { combineSelections, optional, type Selection, selectValue } from "../../tables/selection.ts";
import { newestChange } from "./account-changes.ts";
import { versionedWebsite } from "./versioned-website.ts";

/**
 * Reads what has changed since a position. If nothing has, it reads only the row of the account. Otherwise one more statement reads the
 * next entries with their websites. So no website is older than its entry, also on a replica, and the cost depends only on the size of
 * the page.
 */
export function prepareWebsiteChanges(database: Database): WebsiteStore["changes"] {
  const findState = prepareFindState(database);
  const readAfter = prepareReadAfter(database);
  const read = async (reader: ReadConnection, accountId: number, { since, perPage }: WebsiteChangesRequest) => {
    const [state] = await reader.read(findState({ accountId }));
    if (state === undefined || state.newest.number < since.number) return "expired";
    if (state.newest.number > since.number) return readAfter(reader, { accountId, since, perPage });
    if (state.newest.at !== since.at) return "expired";
    return { ...nothing, end: since, newest: since, total: state.total };
  };
  return async (accountId, request) => {
    const found = await database.readUpToDate((reader) => read(reader, accountId, request));
    // A replica must not make a client read everything again because it is behind.
    return found === "expired" ? read(database.primary, accountId, request) : found;
  };
}

const nothing = { websites: [], versions: [], deletedIds: [] } as const satisfies Partial<Record<string, never[]>>;

interface AccountState {
  readonly newest: ChangePosition;
  readonly total: number;
}

const accountState = combineSelections({
  newest: newestChange,
  total: selectValue(sql.ref("accounts.website_count").as("total"), Number),
}) satisfies Selection<AccountState>;

function prepareFindState({ build }: Database): Prepared<{ accountId: number }, AccountState> {
  return prepare((value: Placeholder<{ accountId: number }>) =>
    select(accountState, build.selectFrom("accounts").where("id", "=", value("accountId"))),
  );
}

/** An entry of the trail after the position, and what else the statement returns. */
interface ChangeRow {
  readonly state: AccountState;
  /** The time of the change at the position. Undefined if it is not known. */
  readonly sinceAt: number | undefined;
  readonly number: number;
  readonly at: number;
  readonly websiteId: number;
  /** The number of the newest change of the website on this page. */
  readonly newestOfWebsite: number;
  /** Undefined unless this is the newest change of the website on this page, and the website exists. */
  readonly current: Selected<typeof versionedWebsite> | undefined;
}

type Selected<Part> = Part extends Selection<infer Row> ? Row : never;

interface ReadAfterArguments {
  readonly accountId: number;
  readonly since: number;
}

function prepareReadAfter({ build }: Database) {
  const queries = new Map<number, Prepared<ReadAfterArguments, ChangeRow>>();
  return async (
    reader: ReadConnection,
    { accountId, since, perPage }: WebsiteChangesRequest & { readonly accountId: number },
  ): Promise<WebsiteChanges | "expired"> => {
    const query = queries.get(perPage) ?? prepareChangeRows(build, perPage);
    queries.set(perPage, query);
    const rows = await reader.read(query({ accountId, since: since.number }));
    return toChanges(
      rows.toSorted((left, right) => left.number - right.number),
      { since, perPage },
    );
  };
}

/** With a limit, PostgreSQL knows that it must look up few websites, and does not read all of the account. */
function prepareChangeRows(build: Database["build"], limit: number): Prepared<ReadAfterArguments, ChangeRow> {
  return prepare((value: Placeholder<ReadAfterArguments>) => {
    const ofAccount = sql`account_id = ${value("accountId")}`;
    const entries = sql<EntryRow>`(
      select position, at, subject_id, max(position) over (partition by subject_id) as newest_of_website
      from (
        select position, at, subject_id from audit_entries where ${ofAccount} and position > ${value("since")}
        order by position limit ${sql.lit(limit)}
      ) as page
    )`;
    const sinceAt = sql`case when ${value("since")} = 0 then accounts.counted_since
      else (select at from audit_entries where ${ofAccount} and position = ${value("since")}) end`;
    const query = build
      .selectFrom("accounts")
      .innerJoin(entries.as("entry"), (join) => join.onTrue())
      .leftJoin("websites", (join) =>
        join
          .on("websites.account_id", "=", value("accountId"))
          .onRef("websites.id", "=", "entry.subject_id")
          .onRef("entry.newest_of_website", "=", "entry.position"),
      )
      .where("accounts.id", "=", value("accountId"));
    return select(
      combineSelections({
        state: accountState,
        sinceAt: selectValue(sinceAt.as("since_at"), (at) => (at === null ? undefined : Number(at))),
        number: selectValue(sql.ref("entry.position").as("position"), Number),
        at: selectValue(sql.ref("entry.at").as("at"), Number),
        websiteId: selectValue(sql.ref("entry.subject_id").as("subject_id"), Number),
        newestOfWebsite: selectValue(sql.ref("entry.newest_of_website").as("newest_of_website"), Number),
        current: optional(versionedWebsite, "id"),
      }),
      query,
    );
  });
}

interface EntryRow {
  readonly position: number;
  readonly at: number;
  readonly subject_id: number;
  readonly newest_of_website: number;
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
  const found = changed.flatMap(({ current }) => current ?? []);
  return {
    websites: found.map(({ website }) => website),
    versions: found.map(({ version }) => version),
    deletedIds: changed.filter(({ current }) => current === undefined).map(({ websiteId }) => websiteId),
    end: { number: last.number, at: last.at },
    newest,
    total,
  };
}
