import { notBefore, type WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import type { StorageWriter } from "../storage-writer.ts";
import { auditDeletion } from "./audited-website.ts";
import type { ChangeCurrent } from "./change-current.ts";

/** Passes a record to `decide`, and deletes it. The audit trail keeps the record as it was. */
export function prepareWebsiteRemove(
  { now }: Database,
  changeCurrent: ChangeCurrent,
  remove: StorageWriter["deleteWebsite"],
): WebsiteStore["delete"] {
  return async (accountId, id, decide, by) => {
    const isDeleted = await changeCurrent(accountId, id, async (current) => {
      decide(current);
      const { website, version: expectedVersion } = current;
      const audit = { by, changes: auditDeletion(website) };
      const at = notBefore(website, now());
      const discardsPassword = website.has_password;
      const isRemoved = await remove({ accountId, id, expectedVersion, at, discardsPassword, audit });
      return isRemoved ? true : "conflict";
    });
    return isDeleted === true;
  };
}
