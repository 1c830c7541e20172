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
import type { Database } from "../engine/database.ts";
import { prepareFindCreated } from "../reads/kept-outcome.ts";
import { prepareWebsiteChanges } from "../reads/website-changes.ts";
import { prepareWebsiteGet } from "../reads/website-get.ts";
import { prepareWebsiteList } from "../reads/website-list.ts";
import { prepareWebsiteSearch } from "../reads/website-search.ts";
import { describeChanges } from "../tables/audit-changes.ts";
import { type CallChange, callHere } from "./call-change.ts";
import { prepareChangeCurrent, RecentWebsites } from "./change-current.ts";
import { type AuditedChange, countEntry, countOutcome, prepareRequireTrailRoom, type TrailUse } from "./trail.ts";

interface WebsiteStoreOptions {
  readonly call?: CallChange;
  /** See `StorageOptions`. */
  readonly trailLimitMegabytes?: number | undefined;
}

/** Creates the store of websites. A change is decided here, and made by `call`, which may do that on another thread. */
export function createWebsiteStore(
  database: Database,
  { call = callHere(database), trailLimitMegabytes = 0 }: WebsiteStoreOptions = {},
): WebsiteStore {
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  const find = prepareFindCreated(database);
  const recent = new RecentWebsites();
  return {
    list: (accountId, { search: term, ...request }) =>
      term === undefined ? list(accountId, request) : search(accountId, { ...request, search: term }),
    changes: prepareWebsiteChanges(database),
    get: prepareWebsiteGet(database),
    async findCreated(accountId, idempotency) {
      const found = idempotency && (await find(accountId, idempotency, database.now()));
      return found === "expired" ? undefined : found;
    },
    create: prepareCreate(database, call, trailLimitMegabytes, recent),
    ...prepareChanges(database, call, trailLimitMegabytes, recent),
  };
}

/** The JSON of a `KeptCreation` with the highest id. */
const creationOutcomeLength = 60;

function prepareCreate(
  { now }: Database,
  call: CallChange,
  megabytes: number,
  recent: RecentWebsites,
): WebsiteStore["create"] {
  return async (accountId, website, { by, idempotency }) => {
    const audit = { by, changes: describeCreation(website) };
    const outcomeBytes = idempotency === undefined ? 0 : countOutcome(idempotency, creationOutcomeLength);
    const trail = { bytes: countEntry(audit) + outcomeBytes, megabytes, isDeletion: false, nowMs: now() };
    const creation = { accountId, website, audit, idempotency, at: now(), trail };
    const created = await call("createWebsite", creation);
    // A replay returns the record as it was created, which may be outdated.
    if (!created.isReplay) recent.remember(accountId, created);
    return created;
  };
}

function prepareChanges(
  database: Database,
  call: CallChange,
  megabytes: number,
  recent: RecentWebsites,
): Pick<WebsiteStore, "update" | "delete"> {
  const { now } = database;
  const changeCurrent = prepareChangeCurrent(database, recent);
  const requireTrailRoom = prepareRequireTrailRoom(database);
  const toTrail = (audit: AuditedChange, isDeletion: boolean): TrailUse => {
    return { bytes: countEntry(audit), megabytes, isDeletion, nowMs: now() };
  };
  return {
    update: (accountId, id, decide, by) =>
      changeCurrent(accountId, id, async (current) => {
        const change = decide(current);
        if (!isDifferent(current.website, change)) return { result: current, after: current };
        const decided = decideOn(current, now());
        const changed = applyChange(current.website, change, decided.at);
        const audit = { by, changes: describeUpdate(current.website, changed, change) };
        const trail = toTrail(audit, false);
        const after = { website: changed, version: current.version + 1 };
        return {
          result: after,
          after,
          change: () => call("updateWebsite", { accountId, ...decided, change, audit, trail }),
          requireRoom: () => requireTrailRoom(accountId, trail),
        };
      }),
    async delete(accountId, id, decide, by) {
      const isDeleted = await changeCurrent(accountId, id, async (current) => {
        decide(current);
        const decided = decideOn(current, now());
        const audit = { by, changes: describeDeletion(current.website) };
        const trail = toTrail(audit, true);
        return {
          result: true,
          change: () => call("deleteWebsite", { accountId, ...decided, audit, trail }),
          requireRoom: () => requireTrailRoom(accountId, trail),
        };
      });
      return isDeleted === true;
    },
  };
}

/** Returns what a change of a record was decided on, its time, and that of the change before. */
function decideOn({ website, version: expectedVersion }: VersionedWebsite, now: number) {
  const previousAt = Date.parse(website.updated_at);
  return { id: website.id, expectedVersion, at: notBefore(website, now), previousAt };
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
