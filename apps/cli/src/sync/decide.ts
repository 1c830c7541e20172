import { isDeepStrictEqual } from "node:util";
import { findPasswordFault, Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import type { Decision } from "./change.ts";
import type { OnConflict, Policy } from "./policy.ts";
import type { Verdict } from "./result.ts";

/** What is known of the website of an entry. */
interface Situation {
  /** The website with this domain; undefined if none exists. */
  readonly existing: Website | undefined;
  readonly policy: Policy;
  /** What is wrong with the password that the entry names. A plan reads no password. */
  readonly passwordFault?: string | undefined;
}

/** Decides what to do with an entry. It refuses what the service would refuse. */
export function decide(entry: WebsiteEntry, { existing, policy, passwordFault }: Situation): Decision {
  const { place, domain } = entry;
  const conflict = existing && verdictOfConflict(existing.id, policy.onConflict);
  if (conflict !== undefined) return { action: "none", place, domain, verdict: conflict };
  const wanted = policy.unstated === "default" ? completeSettings(entry.settings) : entry.settings;
  const reason = passwordFault ?? reasonOfPassword({ ...entry, settings: wanted }, existing, policy);
  if (reason !== undefined) {
    return { action: "none", place, domain, verdict: { outcome: "refused", id: existing?.id, reason } };
  }
  const password = entry.password === undefined ? {} : { password: entry.password };
  if (existing === undefined) return { action: "create", place, domain, settings: wanted, ...password };
  const settings = changedSettings(wanted, existing);
  const sent = policy.setsPasswords || !isProtected(existing) ? password : {};
  if (Object.keys({ ...settings, ...sent }).length > 0) {
    const lists = entry.lists === undefined ? {} : { lists: entry.lists };
    return { action: "update", place, domain, website: existing, settings, ...sent, ...lists };
  }
  return { action: "none", place, domain, verdict: { outcome: "unchanged", id: existing.id } };
}

/** Returns what becomes of a website because it exists; undefined if it is to be updated. */
export function verdictOfConflict(id: number, onConflict: OnConflict): Verdict | undefined {
  if (onConflict === "update") return undefined;
  return { outcome: onConflict === "skip" ? "skipped" : "refused", id, reason: "exists" };
}

function reasonOfPassword(
  { settings, password }: WebsiteEntry,
  existing: Website | undefined,
  { missingPassword }: Policy,
): string | undefined {
  const privacy = settings.privacy ?? existing?.privacy ?? websiteDefaults.privacy;
  // The rule asks only whether there is a password. What is wrong with the password itself is found when it is read.
  const stated = password === undefined ? undefined : "";
  const hasStoredPassword = existing?.has_password ?? false;
  const fault = findPasswordFault({ privacy, password: stated, hasStoredPassword });
  if (fault === undefined) return undefined;
  return privacy === Privacy.Password ? missingPassword : `password ${fault}`;
}

function isProtected({ privacy, has_password }: Website): boolean {
  return privacy === Privacy.Password && has_password;
}

/** Returns the settings that differ from those of the website. */
function changedSettings(wanted: Partial<WebsiteSettings>, existing: Website): Partial<WebsiteSettings> {
  const current: Readonly<Record<string, unknown>> = { ...existing };
  const changed = Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(value, current[field]));
  // Each is a field of the settings with its own value.
  return Object.fromEntries(changed) as Partial<WebsiteSettings>;
}
