import { isDeepStrictEqual } from "node:util";
import { findPasswordFault, Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import type { PasswordSource, Place, WebsiteEntry } from "../files/entry.ts";
import type { ListEdits } from "../websites/list-edit-flags.ts";
import { completeSettings } from "../websites/settings.ts";
import type { Policy } from "./policy.ts";
import { exists, type Verdict } from "./result.ts";

/** What to do with one website: change it, or nothing. */
export type Decision = Change | Settled;

/** One website to create, update or delete. */
export type Change = Creation | Update | Deletion;

/** What is known of each decision. */
interface Named {
  /** In canonical form if a file states it, or else as the user named the website. */
  readonly domain: string;
  /** Where the file states it; undefined for a delete and for what a command line names. */
  readonly place?: Place | undefined;
}

/** A website that the account does not have. */
export interface Creation extends Named {
  readonly action: "create";
  readonly settings: Partial<WebsiteSettings>;
  readonly password?: PasswordSource;
}

/** A website with other settings than it is to have. */
export interface Update extends Named {
  readonly action: "update";
  /** The website when the change was decided. */
  readonly website: Website;
  /** Only those that change. */
  readonly settings: Partial<WebsiteSettings>;
  /** Entries of lists to add and to remove, whatever the lists contain then. */
  readonly edits?: ListEdits;
  /** The password to send, if one is sent. */
  readonly password?: PasswordSource;
  /** The lists of the file whose entries are in these settings. */
  readonly lists?: WebsiteEntry["lists"] | undefined;
}

/** A website that is to be gone. */
export interface Deletion extends Named {
  readonly action: "delete";
  /** The website when the change was decided, or only its ID if the API key cannot read websites. */
  readonly website: Pick<Website, "id"> & Partial<Website>;
}

/** A website to which nothing is sent, because it needs no change or cannot have it. */
interface Settled extends Named {
  readonly action: "none";
  readonly verdict: Verdict;
}

/** Returns the ID of the website, if it exists. */
export function idOf(decision: Decision): number | undefined {
  if (decision.action === "none") return decision.verdict.id;
  return decision.action === "create" ? undefined : decision.website.id;
}

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
  const settle = (verdict: Verdict): Decision => ({ action: "none", place, domain, verdict });
  const conflict = existing && verdictOfConflict(existing.id, policy);
  if (conflict !== undefined) return settle(conflict);
  const wanted = policy.isExact ? completeSettings(entry.settings) : entry.settings;
  const reason = passwordFault ?? reasonOfPassword({ ...entry, settings: wanted }, existing);
  if (reason !== undefined) return settle({ outcome: "refused", id: existing?.id, reason });
  const password = entry.password === undefined ? {} : { password: entry.password };
  if (existing === undefined) return { action: "create", place, domain, settings: wanted, ...password };
  const settings = changedSettings(wanted, existing);
  const sent = policy.setsPasswords || !isProtected(existing) ? password : {};
  if (Object.keys({ ...settings, ...sent }).length === 0) return settle({ outcome: "unchanged", id: existing.id });
  return { action: "update", place, domain, website: existing, settings, ...sent, lists: entry.lists };
}

/** Returns what becomes of a website because it exists; undefined if it is to be updated. */
export function verdictOfConflict(
  id: number | undefined,
  { onConflict }: Pick<Policy, "onConflict">,
): Verdict | undefined {
  if (onConflict === "update") return undefined;
  return { outcome: onConflict === "skip" ? "skipped" : "refused", id, reason: exists };
}

function reasonOfPassword({ settings, password }: WebsiteEntry, existing: Website | undefined): string | undefined {
  const privacy = settings.privacy ?? existing?.privacy ?? websiteDefaults.privacy;
  // The rule asks only whether there is a password. What is wrong with the password itself is found when it is read.
  const stated = password === undefined ? undefined : "";
  const hasStoredPassword = existing?.has_password ?? false;
  const fault = findPasswordFault({ privacy, password: stated, hasStoredPassword });
  if (fault === undefined) return undefined;
  return privacy === Privacy.Password ? passwordRequired : `password ${fault}`;
}

const passwordRequired = "password is required if privacy is password; add password_env or password_file";

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
