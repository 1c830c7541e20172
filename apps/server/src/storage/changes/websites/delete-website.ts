import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { prepareRun } from "../../run/prepare-run.ts";
import { Steps } from "../../run/steps.ts";
import { type AuditEntryRow, type AuditedChange, toAuditEntryRow } from "../audit/audit-entry.ts";
import { hasTrailRoom, type TrailUse, type TrailValues, toTrailValues } from "../audit/trail-limit.ts";
import { isAsDecidedOn } from "../update-row.ts";
import { addCountedEntry, countChange, lockAccount } from "./count-change.ts";
import { notBeforeNewest } from "./not-before-newest.ts";

/** A deletion that was decided on one version of a record. */
export interface WebsiteDeletion {
  readonly accountId: number;
  readonly id: number;
  readonly audit: AuditedChange;
  readonly expectedVersion: number;
  /** The time of the deletion, in milliseconds since 1970. */
  readonly at: number;
  /** The time of the change before. */
  readonly previousAt: number;
  readonly trail: TrailUse;
}

/**
 * Deletes a website if it still has the version that the deletion was decided on and its account has room, and no longer counts it
 * in the account. Returns whether it did.
 */
export function prepareDeleteWebsite(database: Database): (deletion: WebsiteDeletion) => Promise<boolean> {
  const remove = prepareRun<Values, { had_password: unknown }>(database, {
    steps: deletionSteps(database).list,
    result: "removed",
    also: (transaction, { account_id: accountId, subject_id: id }) =>
      database.websiteSearch.remove(transaction, { accountId, id }),
  });
  return async ({ accountId, id, expectedVersion, at, previousAt, audit, trail }) => {
    const version = expectedVersion + 1;
    const subject = { subject: "website", subjectId: id, action: "website.deleted" } as const;
    const record = { accountId, ...subject, version, at, previousAt };
    const removed = await remove({ expectedVersion, ...toAuditEntryRow(record, audit), ...toTrailValues(trail) });
    if (removed?.had_password) database.eraseDeletedSoon();
    return removed !== undefined;
  };
}

type Values = AuditEntryRow & TrailValues & { readonly expectedVersion: number };

/** The account is counted down only for a row that this change deleted, even if two deletes of it run at the same time. */
function deletionSteps({ dialect }: Database) {
  return new Steps<Values>()
    .step("locked", (tools) => lockAccount(dialect, tools), "lock")
    .step("removed", ({ build, value, after }) =>
      build
        .deleteFrom("websites")
        .where("account_id", "=", value("account_id"))
        .where("id", "=", value("subject_id"))
        .where("version", "=", value("expectedVersion"))
        .where(isAsDecidedOn(value))
        .where(after("locked"))
        .returning(sql`password_hash is not null`.as("had_password")),
    )
    .step("counted", ({ build, value, after }) =>
      build
        .updateTable("accounts")
        .set((column) => ({
          website_count: column("website_count", "-", 1),
          last_website_created_at: notBeforeNewest(column, value("at")),
          ...countChange(column, value, value("at")),
        }))
        .where("id", "=", value("account_id"))
        // Engines with one writer at a time do not lock the account before.
        .where(hasTrailRoom(value))
        .where(after("removed"))
        .returning("change_count as number"),
    )
    .step("audited", addCountedEntry, "last");
}
