import type { WebsiteChange } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import type { Change } from "../../run/change.ts";
import { Steps } from "../../run/steps.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { type AuditEntryRow, type AuditedChange, toAuditEntryRow } from "../audit/audit-entry.ts";
import { hasTrailRoom, type TrailUse, type TrailValues, toTrailValues } from "../audit/trail-limit.ts";
import { isAsDecidedOn, prepareUpdateRow, type UpdateValues, updateVersion } from "../update-row.ts";
import { addCountedEntry, countChange, lockAccount } from "./count-change.ts";

/** A change that was decided on one version of a record. */
export interface WebsiteUpdate {
  readonly accountId: number;
  readonly id: number;
  readonly audit: AuditedChange;
  readonly expectedVersion: number;
  /** The fields that change. The version is incremented. */
  readonly change: WebsiteChange;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  /** The time of the change before. */
  readonly previousAt: number;
  readonly trail: TrailUse;
}

/** Changes a website if it still has the version that the change was decided on, and its account has room. Returns whether it did. */
export function prepareUpdateWebsite(database: Database): (update: WebsiteUpdate) => Promise<boolean> {
  const updateRow = prepareUpdateRow<"websites", AuditEntryRow & TrailValues>(database, "websites", (names) =>
    describeWebsiteUpdate(database, names),
  );
  return async ({ accountId, id, expectedVersion, change: { passwordHash, ...settings }, ...update }) => {
    const { at, previousAt, audit, trail } = update;
    const stored = websiteRecord.toStored({
      ...settings,
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    });
    const version = expectedVersion + 1;
    const subject = { subject: "website", subjectId: id, action: "website.updated" } as const;
    const record = { accountId, ...subject, version, at, previousAt };
    const set = { ...stored, updated_at: at };
    const entry = { ...toAuditEntryRow(record, audit), ...toTrailValues(trail) };
    const isUpdated = await updateRow({ expectedVersion, set, entry });
    // There may have been a password before.
    if (isUpdated && passwordHash !== undefined) database.eraseDeletedSoon();
    return isUpdated;
  };
}

function describeWebsiteUpdate(
  { dialect }: Database,
  names: readonly string[],
): Change<UpdateValues & TrailValues, object> {
  const { list: steps } = new Steps<UpdateValues & TrailValues>()
    .step("locked", (tools) => lockAccount(dialect, tools), "lock")
    .step("updated", (tools) => {
      const { value, after } = tools;
      return updateVersion("websites", names, tools).where(isAsDecidedOn(value)).where(after("locked"));
    })
    .step("counted", ({ build, value, after }) =>
      build
        .updateTable("accounts")
        .set((column) => countChange(column, value, value("at")))
        .where("id", "=", value("account_id"))
        // Engines with one writer at a time do not lock the account before.
        .where(hasTrailRoom(value))
        .where(after("updated"))
        .returning("change_count as number"),
    )
    .step("audited", addCountedEntry, "last");
  return { steps, result: "updated" };
}
