import type { WebsiteChange } from "@siteward/service";
import { type ExpressionBuilder, sql } from "kysely";
import type { Database } from "../engine/database.ts";
import type { Placeholder } from "../engine/prepare.ts";
import { prepareRun, type Run } from "../engine/prepare-run.ts";
import { rowOf, Steps, type StepTools } from "../engine/steps.ts";
import type { AuditEntryRow, Schema } from "../tables/schema.ts";
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
    const run = prepared.get(key) ?? prepareRun(database, { steps: updateSteps(database, names), result: "updated" });
    prepared.set(key, run);
    const isUpdated = (await run({ ...set, ...entry, ...toTrailValues(trail), expectedVersion })) !== undefined;
    // There may have been a password before.
    if (isUpdated && passwordHash !== undefined) database.eraseDeletedSoon();
    return isUpdated;
  };
}

/** Deletes a website under the same conditions, and no longer counts it in the account. Returns whether it did. */
export function prepareDeleteWebsite(database: Database): (deletion: WebsiteDeletion) => Promise<boolean> {
  const remove = prepareRun<Values, { had_password: unknown }>(database, {
    steps: deletionSteps(database),
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

function updateSteps({ dialect }: Database, names: readonly string[]) {
  return new Steps<Values>()
    .step("locked", (tools) => lockAccount(dialect, tools), "lock")
    .step("updated", ({ build, value, after }) => {
      // The cast is safe: the values contain the columns that change.
      const columns = [...names, "version"].map((name) => [name, value(name as "version")]);
      return build
        .updateTable("websites")
        .set(Object.fromEntries(columns))
        .where(isAsDecidedOn(value))
        .where(after("locked"))
        .returning("id");
    })
    .step("counted", (tools) => countAfter("updated", tools))
    .step("audited", addCountedEntry, "last").list;
}

/** The account is counted down only for a row that this change deleted, even if two deletes of it run at the same time. */
function deletionSteps({ dialect }: Database) {
  return new Steps<Values>()
    .step("locked", (tools) => lockAccount(dialect, tools), "lock")
    .step("removed", ({ build, value, after }) =>
      build
        .deleteFrom("websites")
        .where(isAsDecidedOn(value))
        .where(after("locked"))
        .returning(sql`password_hash is not null`.as("had_password")),
    )
    .step("counted", (tools) =>
      countAfter("removed", tools).set((column) => ({
        website_count: column("website_count", "-", 1),
        last_website_created_at: notBeforeNewest(column, tools.value("at")),
      })),
    )
    .step("audited", addCountedEntry, "last").list;
}

/**
 * Locks the row of the account, as a create does first. If a website's row were locked first, a create of the same
 * domain could wait for a delete while the delete waits for the create. If an update locked it only to count, it could
 * wait for a delete that waits for the website. An account that has left all that it may in the trail is not locked,
 * and then nothing is changed.
 */
function lockAccount({ forUpdate }: Database["dialect"], { build, value }: StepTools<Values, unknown>) {
  const account = build.selectFrom("accounts").select("id").where("id", "=", value("account_id"));
  return account.where(hasTrailRoom(value)).modifyEnd(forUpdate);
}

/**
 * The condition that a website is the one that the change was decided on. Its time tells it, too: a standby without the
 * last changes that takes over counts their versions again, with other contents.
 */
function isAsDecidedOn(value: Placeholder<Values>) {
  return sql<boolean>`account_id = ${value("account_id")} and id = ${value("subject_id")}
    and version = ${value("expectedVersion")} and updated_at = ${value("previous_at")}`;
}

function countAfter<Step extends string>(
  step: Step,
  { build, value, after }: StepTools<Values, Record<Step, unknown>>,
) {
  return (
    build
      .updateTable("accounts")
      .set((column) => countChange(column, value, value("at")))
      .where("id", "=", value("account_id"))
      // Engines with one writer at a time do not lock the account before.
      .where(hasTrailRoom(value))
      .where(after(step))
      .returning("change_count as number")
  );
}

/**
 * Builds the columns of an account that give a change of one of its websites the next number. Every change of websites
 * locks the row of the account until it is committed. So the changes have the numbers in the order of their commits,
 * without gaps, whatever the clocks say. They also count what the change leaves in the trail.
 */
export function countChange<At>(
  column: ExpressionBuilder<Schema, "accounts">,
  value: Placeholder<TrailValues>,
  at: At,
) {
  return { change_count: column("change_count", "+", 1), changed_at: at, ...addTrailBytes(value) };
}

function addCountedEntry({
  value,
  of,
  insertAfter,
}: StepTools<AuditEntryRow, { readonly counted: { readonly number: number } }>) {
  return insertAfter("counted", "audit_entries", rowOf("audit_entries", value, { position: of("counted", "number") }));
}

/**
 * Builds the time of the account's newest creation or deletion after one at `at`. It never decreases, even if the clocks of
 * two machines differ. So a website is never created before an earlier one, or before a deletion that freed its domain.
 */
export function notBeforeNewest(column: ExpressionBuilder<Schema, "accounts">, at: number) {
  return column
    .case()
    .when("last_website_created_at", ">", at)
    .then(column.ref("last_website_created_at"))
    .else(at)
    .end();
}
