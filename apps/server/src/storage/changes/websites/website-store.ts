import type { Website } from "@siteward/contract";
import {
  applyChange,
  isDifferent,
  isOutcome,
  type NewWebsite,
  notBefore,
  type WebsiteChange,
  type WebsiteStore,
} from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { inTurnOfAccount } from "../../database/in-turn-of-account.ts";
import { refusalOutcome } from "../../reads/idempotency/outcome.ts";
import { prepareFindCreated } from "../../reads/websites/find-created.ts";
import { prepareWebsiteChanges } from "../../reads/websites/website-changes.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { prepareWebsiteList } from "../../reads/websites/website-list.ts";
import { prepareWebsiteSearch } from "../../reads/websites/website-search.ts";
import { describeChanges } from "../../tables/audit-changes.ts";
import { countEntry, countOutcome } from "../audit/trail-bytes.ts";
import { TrailLimit } from "../audit/trail-limit.ts";
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
  const change: ChangeTools = {
    now: database.now,
    call,
    recent,
    changeCurrent: prepareChangeCurrent(database, recent),
    trail: new TrailLimit({
      megabytes,
      now: database.now,
      add: (left) => call("addTrailBytes", left, left.accountId),
      onReached: onTrailLimitReached,
    }),
  };
  return {
    list: inTurnOfAccount(database, (accountId, request) =>
      request.search === undefined
        ? list(accountId, request)
        : search(accountId, { ...request, search: request.search }),
    ),
    changes: inTurnOfAccount(database, prepareWebsiteChanges(database)),
    get: inTurnOfAccount(database, prepareWebsiteGet(database)),
    findCreated,
    create: inTurnOfAccount(database, prepareCreate(change, findCreated)),
    update: inTurnOfAccount(database, prepareUpdate(change)),
    delete: inTurnOfAccount(database, prepareDelete(change)),
  };
}

/** What all changes share. */
interface ChangeTools {
  readonly now: () => number;
  readonly call: CallChange;
  readonly recent: RecentWebsites;
  readonly changeCurrent: ChangeCurrent;
  readonly trail: TrailLimit;
}

/** The JSON of a `KeptCreation` with the highest id. */
const creationOutcomeLength = 60;

function prepareCreate(
  { now, call, recent, trail }: ChangeTools,
  findCreated: WebsiteStore["findCreated"],
): WebsiteStore["create"] {
  return async (accountId, website, { by, idempotency }) => {
    try {
      await trail.requireRoom(accountId);
    } catch (error) {
      // What was created before is not created again, so it is not refused.
      const earlier = await findCreated(accountId, idempotency);
      if (earlier === undefined) throw error;
      return earlier;
    }
    const audit = { by, changes: describeCreation(website) };
    try {
      const created = await call("createWebsite", { accountId, website, audit, idempotency, at: now() }, accountId);
      const outcome = idempotency === undefined ? 0 : countOutcome(idempotency, creationOutcomeLength);
      // A replay returns the record as it was created, which may be outdated.
      if (created.isReplay) return created;
      trail.count(accountId, countEntry(audit) + outcome);
      recent.remember(accountId, created);
      return created;
    } catch (error) {
      if (isOutcome(error) && idempotency !== undefined) {
        trail.count(accountId, countOutcome(idempotency, refusalOutcome(error.failure).length));
      }
      throw error;
    }
  };
}

function prepareUpdate({ now, call, changeCurrent, trail }: ChangeTools): WebsiteStore["update"] {
  return (accountId, id, decide, by) =>
    changeCurrent(accountId, id, async (current) => {
      const { website, version: expectedVersion } = current;
      const change = decide(current);
      if (!isDifferent(website, change)) return { result: current, after: current };
      await trail.requireRoom(accountId);
      const times = timesOf(website, now());
      const changed = applyChange(website, change, times.at);
      const audit = { by, changes: describeUpdate(website, changed, change) };
      const update = { accountId, id, expectedVersion, ...times, change, audit };
      const after = { website: changed, version: expectedVersion + 1 };
      return {
        result: after,
        after,
        async change() {
          const isUpdated = await call("updateWebsite", update, accountId);
          if (isUpdated) trail.count(accountId, countEntry(audit));
          return isUpdated;
        },
      };
    });
}

function prepareDelete({ now, call, changeCurrent, trail }: ChangeTools): WebsiteStore["delete"] {
  return async (accountId, id, decide, by) => {
    const isDeleted = await changeCurrent(accountId, id, async (current) => {
      decide(current);
      await trail.requireRoom(accountId, "deletion");
      const { website, version: expectedVersion } = current;
      const audit = { by, changes: describeDeletion(website) };
      const deletion = { accountId, id, expectedVersion, ...timesOf(website, now()), audit };
      return {
        result: true,
        async change() {
          const hadVersion = await call("deleteWebsite", deletion, accountId);
          if (hadVersion) trail.count(accountId, countEntry(audit));
          return hadVersion;
        },
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
