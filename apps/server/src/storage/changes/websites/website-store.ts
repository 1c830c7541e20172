import type { Website } from "@siteward/contract";
import {
  applyChange,
  isDifferent,
  type NewWebsite,
  notBefore,
  type WebsiteChange,
  type WebsiteStore,
} from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { inTurnOfAccount } from "../../database/in-turn-of-account.ts";
import { prepareFindCreated } from "../../reads/websites/find-created.ts";
import { prepareWebsiteChanges } from "../../reads/websites/website-changes.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { prepareWebsiteList } from "../../reads/websites/website-list.ts";
import { prepareWebsiteSearch } from "../../reads/websites/website-search.ts";
import { describeChanges } from "../../tables/audit-changes.ts";
import { countEntry, countOutcome } from "../audit/trail-bytes.ts";
import { prepareRequireTrailRoom, type TrailUse, tellRefusals } from "../audit/trail-limit.ts";
import { type CallChange, callHere } from "../call-change.ts";
import { type ChangeCurrent, prepareChangeCurrent } from "./change-current.ts";
import { RecentWebsites } from "./recent-websites.ts";

interface WebsiteStoreOptions {
  /** Makes the changes. By default they are made through the database. */
  readonly call?: CallChange;
  /** See `StorageOptions`. */
  readonly trailLimitMegabytes?: number | undefined;
  /** See `StorageOptions`. */
  readonly onTrailLimitReached?: ((accountId: number) => void) | undefined;
}

/** Creates the store of websites. A change is decided here, and made by `call`, which may do that on another thread. */
export function createWebsiteStore(
  database: Database,
  { call = callHere(database), trailLimitMegabytes: megabytes = 0, onTrailLimitReached }: WebsiteStoreOptions = {},
): WebsiteStore {
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  const findCreated = inTurnOfAccount(database, prepareFindCreated(database));
  const recent = new RecentWebsites();
  const { now } = database;
  const change: ChangeTools = {
    now,
    call,
    recent,
    changeCurrent: prepareChangeCurrent(database, recent),
    toTrail: (bytes, isDeletion = false) => ({ bytes, megabytes, isDeletion, nowMs: now() }),
    requireTrailRoom: prepareRequireTrailRoom(database),
  };
  const telling = tellRefusals(now, onTrailLimitReached);
  return {
    list: inTurnOfAccount(database, (accountId, request) =>
      request.search === undefined
        ? list(accountId, request)
        : search(accountId, { ...request, search: request.search }),
    ),
    changes: inTurnOfAccount(database, prepareWebsiteChanges(database)),
    get: inTurnOfAccount(database, prepareWebsiteGet(database)),
    findCreated,
    create: telling(inTurnOfAccount(database, prepareCreate(change))),
    update: telling(inTurnOfAccount(database, prepareUpdate(change))),
    delete: telling(inTurnOfAccount(database, prepareDelete(change))),
  };
}

/** What all changes share. */
interface ChangeTools {
  readonly now: () => number;
  readonly call: CallChange;
  readonly recent: RecentWebsites;
  readonly changeCurrent: ChangeCurrent;
  readonly toTrail: (bytes: number, isDeletion?: boolean) => TrailUse;
  readonly requireTrailRoom: (accountId: number, use: TrailUse) => Promise<void>;
}

/** The JSON of a `KeptCreation` with the highest id. */
const creationOutcomeLength = 60;

function prepareCreate({ now, call, recent, toTrail }: ChangeTools): WebsiteStore["create"] {
  return async (accountId, website, { by, idempotency }) => {
    const audit = { by, changes: describeCreation(website) };
    const outcome = idempotency === undefined ? 0 : countOutcome(idempotency, creationOutcomeLength);
    const creation = { accountId, website, audit, idempotency, at: now(), trail: toTrail(countEntry(audit) + outcome) };
    const created = await call("createWebsite", creation, accountId);
    // A replay returns the record as it was created, which may be outdated.
    if (!created.isReplay) recent.remember(accountId, created);
    return created;
  };
}

function prepareUpdate({ now, call, changeCurrent, toTrail, requireTrailRoom }: ChangeTools): WebsiteStore["update"] {
  return (accountId, id, decide, by) =>
    changeCurrent(accountId, id, async (current) => {
      const { website, version: expectedVersion } = current;
      const change = decide(current);
      if (!isDifferent(website, change)) return { result: current, after: current };
      const times = timesOf(website, now());
      const changed = applyChange(website, change, times.at);
      const audit = { by, changes: describeUpdate(website, changed, change) };
      const trail = toTrail(countEntry(audit));
      const update = { accountId, id, expectedVersion, ...times, change, audit, trail };
      const after = { website: changed, version: expectedVersion + 1 };
      return {
        result: after,
        after,
        change: () => call("updateWebsite", update, accountId),
        requireRoom: () => requireTrailRoom(accountId, trail),
      };
    });
}

function prepareDelete({ now, call, changeCurrent, toTrail, requireTrailRoom }: ChangeTools): WebsiteStore["delete"] {
  return async (accountId, id, decide, by) => {
    const isDeleted = await changeCurrent(accountId, id, async (current) => {
      decide(current);
      const { website, version: expectedVersion } = current;
      const audit = { by, changes: describeDeletion(website) };
      const trail = toTrail(countEntry(audit), true);
      const deletion = { accountId, id, expectedVersion, ...timesOf(website, now()), audit, trail };
      return {
        result: true,
        change: () => call("deleteWebsite", deletion, accountId),
        requireRoom: () => requireTrailRoom(accountId, trail),
      };
    });
    return isDeleted === true;
  };
}

/** Returns the time of a change of a record, and that of the change before. */
function timesOf(website: Website, now: number): { readonly at: number; readonly previousAt: number } {
  return { at: notBefore(website, now), previousAt: Date.parse(website.updated_at) };
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
