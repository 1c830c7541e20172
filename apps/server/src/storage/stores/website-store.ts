import type { Website } from "@siteward/contract";
import {
  applyChange,
  isDifferent,
  type NewWebsite,
  notBefore,
  type VersionedWebsite,
  type WebsiteChange,
  type WebsiteStore,
} from "@siteward/service";
import type { CallChange } from "../changes/call-change.ts";
import { prepareChangeCurrent, RecentWebsites } from "../changes/change-current.ts";
import { type AuditedChange, countRow, prepareRequireTrailRoom, toAuditEntryRow } from "../changes/trail.ts";
import type { Database } from "../engine/database.ts";
import { prepareFindCreated } from "../reads/kept-outcome.ts";
import { prepareWebsiteChanges } from "../reads/website-changes.ts";
import { prepareWebsiteGet } from "../reads/website-get.ts";
import { prepareWebsiteList } from "../reads/website-list.ts";
import { prepareWebsiteSearch } from "../reads/website-search.ts";
import { describeChanges } from "../tables/audit-changes.ts";
import type { AuditEntryRow } from "../tables/schema.ts";

/**
 * Creates the store of websites. A change is decided here, and made by `call`, which may do that on another thread.
 *
 * @param megabytes the limit of the trail, as in `StorageOptions`
 */
export function createWebsiteStore(database: Database, call: CallChange, megabytes = 0): WebsiteStore {
  const { now } = database;
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  const find = prepareFindCreated(database);
  const recent = new RecentWebsites();
  const changeCurrent = prepareChangeCurrent(database, recent);
  const requireTrailRoom = prepareRequireTrailRoom(database);
  return {
    list: (accountId, { search: term, ...request }) =>
      term === undefined ? list(accountId, request) : search(accountId, { ...request, search: term }),
    changes: prepareWebsiteChanges(database),
    get: prepareWebsiteGet(database),
    async findCreated(accountId, idempotency) {
      const found = await find(accountId, idempotency, now());
      return found === "expired" ? undefined : found;
    },
    async create(accountId, website, { by, idempotency }) {
      const audit = { by, changes: describeCreation(website) };
      const outcomeBytes = idempotency === undefined ? 0 : countRow(idempotency.key, idempotency.fingerprint);
      const bytes = countRow(by.requestId, audit.changes) + outcomeBytes;
      const trail = { bytes, megabytes, isDeletion: false, nowMs: now() };
      const created = await call("createWebsite", { accountId, website, audit, idempotency, trail });
      // A replay returns the record as it was created, which may be outdated.
      if (!created.isReplay) recent.remember(accountId, created);
      return created;
    },
    update: (accountId, id, decide, by) =>
      changeCurrent(accountId, id, async (current) => {
        const change = decide(current);
        if (!isDifferent(current.website, change)) return { result: current, after: current };
        const at = notBefore(current.website, now());
        const changed = applyChange(current.website, change, at);
        const after = { website: changed, version: current.version + 1 };
        const audit = { by, changes: describeUpdate(current.website, changed, change) };
        const entry = toEntry(current, { account_id: accountId, action: "website.updated", at }, audit);
        const trail = { bytes: countRow(by.requestId, audit.changes), megabytes, isDeletion: false, nowMs: now() };
        return {
          result: after,
          after,
          change: () => call("updateWebsite", { entry, expectedVersion: current.version, change, trail }),
          requireRoom: () => requireTrailRoom(accountId, trail),
        };
      }),
    async delete(accountId, id, decide, by) {
      const isDeleted = await changeCurrent(accountId, id, async (current) => {
        decide(current);
        const at = notBefore(current.website, now());
        const audit = { by, changes: describeDeletion(current.website) };
        const entry = toEntry(current, { account_id: accountId, action: "website.deleted", at }, audit);
        const trail = { bytes: countRow(by.requestId, audit.changes), megabytes, isDeletion: true, nowMs: now() };
        return {
          result: true,
          change: () => call("deleteWebsite", { entry, expectedVersion: current.version, trail }),
          requireRoom: () => requireTrailRoom(accountId, trail),
        };
      });
      return isDeleted === true;
    },
  };
}

/** Returns the entry of a change of a record. */
function toEntry(
  { website, version }: VersionedWebsite,
  change: Pick<AuditEntryRow, "account_id" | "action" | "at">,
  audit: AuditedChange,
): AuditEntryRow {
  const record = { subject: "website", subject_id: website.id, version: version + 1 } as const;
  return toAuditEntryRow({ ...change, ...record, previous_at: Date.parse(website.updated_at) }, audit);
}

/** Describes a creation for the audit trail. The id and the time of the record are those of the entry. */
function describeCreation({ passwordHash, ...settings }: NewWebsite): string {
  return describeChanges({}, settings, passwordHash === null ? {} : { password: "set" });
}

/** Describes an update for the audit trail. Of a password it says only whether one was set or cleared. */
function describeUpdate(before: Website, after: Website, { passwordHash }: WebsiteChange): string {
  const isSet = typeof passwordHash === "string";
  const isCleared = passwordHash === null && before.has_password;
  const password = isSet ? { password: "set" as const } : isCleared ? { password: "cleared" as const } : {};
  return describeChanges(settingsOf(before), settingsOf(after), password);
}

/** Describes a deletion for the audit trail, which keeps the record as it was. */
function describeDeletion(before: Website): string {
  return describeChanges(settingsOf(before), {}, before.has_password ? { password: "cleared" } : {});
}

/** The id and the times of a record are those of the entries about it. */
function settingsOf({ id: _, has_password: __, created_at: ___, updated_at: ____, ...settings }: Website) {
  return settings;
}
