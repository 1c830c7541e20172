import type { WebsiteChange } from "@siteward/service";
import { insertInto, prepareChange, type Run, type Step } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import { listNames, type Sql, sql } from "../engine/statement.ts";
import type { AuditEntryRow } from "../tables/schema.ts";
import { websiteRecord } from "../tables/websites.ts";
import { addTrailBytes, hasTrailRoom, type TrailUse, type TrailValues, toTrailValues } from "./trail.ts";

/** A deletion that was decided on one version of a record. */
export interface WebsiteDeletion {
  readonly entry: AuditEntryRow;
  readonly expectedVersion: number;
  readonly trail: TrailUse;
}

export interface WebsiteUpdate extends WebsiteDeletion {
  /** The fields that change. The version is incremented. */
  readonly change: WebsiteChange;
}

/** Of an update, also the columns that change, by name. No column that changes has the name of one of the entry. */
type Values = AuditEntryRow & TrailValues & { readonly expectedVersion: number };

/**
 * Changes a website if it still has the version that the change was decided on, and its account has room. Returns
 * whether it did.
 */
export function prepareUpdateWebsite(database: Database): (update: WebsiteUpdate) => Promise<boolean> {
  const prepared = new Map<string, Run<Values, object>>();
  return async ({ entry, expectedVersion, trail, change: { passwordHash, ...settings } }) => {
    const password = passwordHash === undefined ? {} : { password_hash: passwordHash };
    const set = { ...websiteRecord.toStored({ ...settings, ...password }), updated_at: entry.at };
    // Sorted, because clients send fields in any order. There are at most 2⁶ sets of columns.
    const names = Object.keys(set).toSorted();
    const key = names.join();
    const run = prepared.get(key) ?? prepareChange(database, { steps: updateSteps(names), result: "updated" });
    prepared.set(key, run);
    const isUpdated = (await run({ ...set, ...entry, ...toTrailValues(trail), expectedVersion })) !== undefined;
    // There may have been a password before.
    if (isUpdated && passwordHash !== undefined) database.eraseDeletedSoon();
    return isUpdated;
  };
}

/** Deletes a website under the same conditions, and no longer counts it in the account. Returns whether it did. */
export function prepareDeleteWebsite(database: Database): (deletion: WebsiteDeletion) => Promise<boolean> {
  const remove = prepareChange<Values, { had_password: unknown }>(database, {
    steps: deletionSteps,
    result: "removed",
    also: (transaction, { account_id: accountId, subject_id: id }) =>
      database.websiteSearch.remove(transaction, { accountId, id }),
  });
  return async ({ entry, expectedVersion, trail }) => {
    const removed = await remove({ ...entry, ...toTrailValues(trail), expectedVersion });
    if (removed?.had_password) database.eraseDeletedSoon();
    return removed !== undefined;
  };
}

/**
 * Locks the row of the account, as a create does first. If a website's row were locked first, a create of the same
 * domain could wait for a delete while the delete waits for the create. If an update locked it only to count, it could
 * wait for a delete that waits for the website. An account that has left all that it may in the trail is not locked,
 * and then nothing is changed.
 */
const locked: Step = {
  name: "locked",
  sql: sql`select id from accounts where id = :account_id and ${hasTrailRoom} for update`,
  kind: "lock",
};

/**
 * The condition that a website is the one that the change was decided on. Its time tells it, too: a standby without the
 * last changes that takes over counts their versions again, with other contents.
 */
const isAsDecidedOn = sql`account_id = :account_id and id = :subject_id
    and version = :expectedVersion and updated_at = :previous_at and {after locked}`;

/**
 * Gives a change of a website the next number of its account. Every change of websites locks the row of the account
 * until it is committed. So the changes have the numbers in the order of their commits, without gaps, whatever the
 * clocks say. This also counts what the change leaves in the trail.
 */
export const countChange = (at: Sql): Sql => sql`change_count = change_count + 1, changed_at = ${at}, ${addTrailBytes}`;

/**
 * The time of the account's newest creation or deletion after one at `at`. It never decreases, even if the clocks of
 * two machines differ. So a website is never created before an earlier one, or before a deletion that freed its domain.
 */
export const newestAt = sql`case when last_website_created_at > :at then last_website_created_at else :at end`;

/** Engines with one writer at a time do not lock the account before. */
const countAfter = (step: string, more = sql``): Step => ({
  name: "counted",
  sql: sql`update accounts set ${countChange(sql`:at`)}${more}
    where id = :account_id and ${hasTrailRoom} and {after ${listNames([step])}} returning change_count as number`,
});

const audited: Step = {
  name: "audited",
  sql: insertInto("audit_entries", { position: sql`{counted.number}` }, sql`{from counted}`),
  kind: "last",
};

function updateSteps(names: readonly string[]): readonly Step[] {
  const columns = listNames(names, (name) => sql`${name} = :${name}`);
  const update = sql`update websites set ${columns}, version = version + 1 where ${isAsDecidedOn} returning id`;
  return [locked, { name: "updated", sql: update }, countAfter("updated"), audited];
}

/** The account is counted down only for a row that this change deleted, even if two deletes of it run at the same time. */
const remove = sql`delete from websites where ${isAsDecidedOn} returning password_hash is not null as had_password`;
const less = sql`, website_count = website_count - 1, last_website_created_at = ${newestAt}`;
const deletionSteps = [locked, { name: "removed", sql: remove }, countAfter("removed", less), audited];
