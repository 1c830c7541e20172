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
import { prepareFindCreated } from "../../reads/websites/find-created.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { prepareWebsiteList } from "../../reads/websites/website-list.ts";
import { prepareWebsiteSearch } from "../../reads/websites/website-search.ts";
import { describeChanges } from "../audit/describe-changes.ts";
import { type CallChange, callHere } from "../call-change.ts";
import { type ChangeCurrent, prepareChangeCurrent } from "./change-current.ts";

/**
 * Creates the store of websites. A change is decided here, and made by `call`, which may do that on another thread.
 *
 * @param call makes the changes. By default they are made through `database`.
 */
export function createWebsiteStore(database: Database, call: CallChange = callHere(database)): WebsiteStore {
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  const changeCurrent = prepareChangeCurrent(database);
  return {
    list: (accountId, request) => {
      const term = request.search?.trim() ?? "";
      return term === "" ? list(accountId, request) : search(accountId, { ...request, search: term });
    },
    get: prepareWebsiteGet(database),
    findCreated: prepareFindCreated(database),
    create: (accountId, website, { by, idempotency }) => {
      const audit = { by, changes: describeCreation(website) };
      return call("createWebsite", { accountId, website, audit, idempotency, at: database.now() }, accountId);
    },
    update: prepareUpdate(database, changeCurrent, call),
    delete: prepareDelete(database, changeCurrent, call),
  };
}

function prepareUpdate({ now }: Database, changeCurrent: ChangeCurrent, call: CallChange): WebsiteStore["update"] {
  return (accountId, id, decide, by) =>
    changeCurrent(accountId, id, async (current) => {
      const { website, version: expectedVersion } = current;
      const change = decide(current);
      if (!isDifferent(website, change)) return current;
      const at = notBefore(website, now());
      const changed = applyChange(website, change, at);
      const audit = { by, changes: describeUpdate(website, changed, change) };
      const isUpdated = await call("updateWebsite", { accountId, id, expectedVersion, change, at, audit }, accountId);
      return isUpdated ? { website: changed, version: expectedVersion + 1 } : "conflict";
    });
}

function prepareDelete({ now }: Database, changeCurrent: ChangeCurrent, call: CallChange): WebsiteStore["delete"] {
  return async (accountId, id, decide, by) => {
    const isDeleted = await changeCurrent(accountId, id, async (current) => {
      decide(current);
      const { website, version: expectedVersion } = current;
      const audit = { by, changes: describeDeletion(website) };
      const at = notBefore(website, now());
      const hadVersion = await call("deleteWebsite", { accountId, id, expectedVersion, at, audit }, accountId);
      return hadVersion ? true : "conflict";
    });
    return isDeleted === true;
  };
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
