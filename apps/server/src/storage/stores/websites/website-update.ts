import type { Website } from "@siteward/contract";
import type { Database } from "../../database/database.ts";
import type { WebsiteChange, WebsiteStore } from "../../storage.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import { isSameValue } from "../../tables/is-same-value.ts";
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
      const changed = apply(website, change, at);
      const audit = { by, changes: auditUpdate(website, changed, change) };
      const isReplaced = await replace({ accountId, id, expectedVersion, change, at, discardsPassword, audit });
      return isReplaced ? { website: changed, version: expectedVersion + 1 } : "conflict";
    });
}

/** Returns the time of a change. It never decreases, even if the clock goes backwards. */
export function notBefore({ updated_at }: Website, now: number): number {
  return Math.max(now, Date.parse(updated_at));
}

/** A new hash is always different, since its salt is. */
function isDifferent(current: Website, { passwordHash, ...settings }: WebsiteChange): boolean {
  if (passwordHash === null ? current.has_password : passwordHash !== undefined) return true;
  // The casts below are safe: every setting is a field of the record.
  const names = Object.keys(settings) as (keyof typeof settings)[];
  return names.some((name) => settings[name] !== undefined && !isSameValue(settings[name], current[name]));
}

function apply(current: Website, { passwordHash, ...settings }: WebsiteChange, at: number): Website {
  const hasPassword = passwordHash === undefined ? current.has_password : passwordHash !== null;
  return { ...current, ...settings, has_password: hasPassword, updated_at: new Date(at).toISOString() };
}
