import type { WebsiteChanges, WebsiteChangesRequest, WebsiteStore } from "@siteward/service";
import { sql } from "kysely";
import type { Database, ReadConnection } from "../engine/database.ts";
import { type Placeholder, type Prepared, prepare } from "../engine/prepare.ts";
import { select } from "../engine/select.ts";
import { combineSelections, optional, selectValue } from "../tables/selection.ts";
import { newestChange, versionedWebsite } from "./website-get.ts";

/**
 * Reads what has changed since a position. If nothing has, it reads only the row of the account. Otherwise one more
 * statement reads the next entries with their websites. So no website is older than its entry, also on a replica, and
 * the cost depends only on the size of the page.
 */
export function prepareWebsiteChanges(database: Database): WebsiteStore["changes"] {
  const findState = prepareFindState(database);
  const readAfter = prepareReadAfter(database);
  const read = async (reader: ReadConnection, accountId: number, request: WebsiteChangesRequest) => {
    const { since } = request;
    const [state] = await reader.read(findState({ accountId }));
    if (state === undefined || state.newest.number < since.number) return "expired";
    if (state.newest.number > since.number) return readAfter(reader, accountId, request);
    if (state.newest.at !== since.at) return "expired";
    return { websites: [], deletedIds: [], end: since, newest: since, total: state.total };
  };
  return async (accountId, request) => {
    const found = await database.readUpToDate((reader) => read(reader, accountId, request));
    // A replica must not make a client read everything again because it is behind.
    return found === "expired" ? read(database.primary, accountId, request) : found;
  };
}

const accountState = combineSelections({
  newest: newestChange,
  total: selectValue(sql.ref("accounts.website_count").as("total"), Number),
});

export function prepareFindState({ build }: Database) {
  return prepare((value: Placeholder<{ accountId: number }>) =>
    select(accountState, build.selectFrom("accounts").where("id", "=", value("accountId"))),
  );
}

function prepareReadAfter(database: Database) {
  const queries = new Map<number, ReturnType<typeof prepareChangeRows>>();
  return async (reader: ReadConnection, accountId: number, request: WebsiteChangesRequest) => {
    const { since, perPage } = request;
    const query = queries.get(perPage) ?? prepareChangeRows(database, perPage);
    queries.set(perPage, query);
    const rows = await reader.read(query({ accountId, since: since.number }));
    const inOrder = rows.toSorted((left, right) => left.number - right.number);
    return toChanges(inOrder, request);
  };
}

type ChangeRow = ReturnType<typeof prepareChangeRows> extends Prepared<infer _, infer Row> ? Row : never;

/**
 * Reads the next entries of the trail after a position. With a limit, PostgreSQL knows that it must look up few
 * websites, and does not read all of the account.
 */
function prepareChangeRows({ build }: Database, limit: number) {
  return prepare((value: Placeholder<{ accountId: number; since: number }>) => {
    const ofAccount = sql`account_id = ${value("accountId")}`;
    const entries = sql<Record<"position" | "at" | "subject_id" | "newest_of_website", number>>`(
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
    const ofEntry = (name: string) => selectValue(sql.ref(`entry.${name}`).as(name), Number);
    const selection = combineSelections({
      state: accountState,
      // The time of the change at the position. Undefined if it is not known.
      sinceAt: selectValue(sinceAt.as("since_at"), (at) => (at === null ? undefined : Number(at))),
      number: ofEntry("position"),
      at: ofEntry("at"),
      websiteId: ofEntry("subject_id"),
      // The number of the newest change of the website on this page.
      newestOfWebsite: ofEntry("newest_of_website"),
      // Undefined unless this is the newest change of the website on this page, and the website exists.
      current: optional(versionedWebsite, "id"),
    });
    return select(selection, query);
  });
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
