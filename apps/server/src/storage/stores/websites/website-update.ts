import type { Website } from "@siteward/contract";
import type { Database } from "../../database/database.ts";
import type { VersionedWebsite, WebsiteChange, WebsiteStore } from "../../storage.ts";
import { storageUnavailable } from "../../storage-error.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import { TurnTaking } from "./turn-taking.ts";
import { prepareWebsiteGet } from "./website-get.ts";

/** How often a change is decided again because another process changed the record in between. */
const maxAttempts = 100;
/** After a transaction has waited for as long, it is refused too. */
const turnLimits = { maxTasks: 100, maxWaitMs: 5_000 };

/**
 * Reads a record, passes it to `decide`, and replaces the record if nobody changed it since. If somebody did, it starts
 * again. The changes that this process makes to one record take turns, so that only those of other processes conflict.
 */
export function prepareWebsiteUpdate(
  { primary, build, now }: Database,
  replace: StorageWriter["replaceWebsite"],
): WebsiteStore["update"] {
  const get = prepareWebsiteGet({ build, readUpToDate: (work) => work(primary) });
  const turns = new TurnTaking(turnLimits);

  async function attempt(
    accountId: number,
    id: number,
    decide: (current: Website) => WebsiteChange,
  ): Promise<VersionedWebsite | "conflict" | undefined> {
    const current = await get(accountId, id);
    if (current === undefined) return undefined;
    const change = decide(current.website);
    if (!isDifferent(current.website, change)) return current;
    // The time never decreases, even if the clock goes backwards.
    const at = Math.max(now(), Date.parse(current.website.updated_at));
    const discardsPassword = change.passwordHash !== undefined && current.website.has_password;
    const expectedVersion = current.version;
    const isReplaced = await replace({ accountId, id, expectedVersion, change, at, discardsPassword });
    return isReplaced ? { website: apply(current.website, change, at), version: expectedVersion + 1 } : "conflict";
  }

  return (accountId, id, decide) =>
    turns.take(`${accountId} ${id}`, async () => {
      for (let count = 1; count <= maxAttempts; count += 1) {
        const updated = await attempt(accountId, id, decide);
        if (updated !== "conflict") return updated;
      }
      throw storageUnavailable(new Error(`Website ${id} of account ${accountId} changed too often.`));
    });
}

/** A new hash is always different, since its salt is. */
function isDifferent(current: Website, { passwordHash, ...settings }: WebsiteChange): boolean {
  if (passwordHash === null ? current.has_password : passwordHash !== undefined) return true;
  // The casts below are safe: every setting is a field of the record.
  const names = Object.keys(settings) as (keyof typeof settings)[];
  return names.some((name) => settings[name] !== undefined && !isSame(settings[name], current[name]));
}

/** Compares settings, which are integers and lists of strings. */
function isSame(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

function apply(current: Website, { passwordHash, ...settings }: WebsiteChange, at: number): Website {
  const hasPassword = passwordHash === undefined ? current.has_password : passwordHash !== null;
  return { ...current, ...settings, has_password: hasPassword, updated_at: new Date(at).toISOString() };
}
