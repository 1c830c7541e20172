import { applyChange, isDifferent, notBefore, type WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import type { StorageWriter } from "../storage-writer.ts";
import { auditUpdate } from "./audited-website.ts";
import type { ChangeCurrent } from "./change-current.ts";

/** Passes a record to `decide`, and replaces it by what that decides. */
export function prepareWebsiteUpdate(
  { now }: Database,
  changeCurrent: ChangeCurrent,
  replace: StorageWriter["replaceWebsite"],
): WebsiteStore["update"] {
  return (accountId, id, decide, by) =>
    changeCurrent(accountId, id, async (current) => {
      const { website, version: expectedVersion } = current;
      const change = decide(current);
      if (!isDifferent(website, change)) return current;
      const at = notBefore(website, now());
      const discardsPassword = change.passwordHash !== undefined && website.has_password;
      const changed = applyChange(website, change, at);
      const audit = { by, changes: auditUpdate(website, changed, change) };
      const isReplaced = await replace({ accountId, id, expectedVersion, change, at, discardsPassword, audit });
      return isReplaced ? { website: changed, version: expectedVersion + 1 } : "conflict";
    });
}
