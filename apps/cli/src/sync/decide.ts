import { findPasswordFault, Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import { fieldsOf, type Change as Sent, type Version } from "@siteward/sdk/bulk";
import type { WebsiteEntry } from "../files/entry.ts";
import { completeSettings } from "../websites/settings.ts";
import type { Policy } from "./policy.ts";
import { exists, type Result } from "./result.ts";

/** A change, and where it comes from, if that is a file. What is sent as the password is read later. */
export type Change = Sent & Partial<Pick<WebsiteEntry, "place" | "password" | "lists">>;

type ChangeOf<Action> = Extract<Change, { readonly action: Action }>;

/** What a file states of a website that the account does not have. */
export type PlannedCreation = ChangeOf<"create"> & { readonly set: Partial<WebsiteSettings> };

/** An update of the version that was read. Without a plan, it sets all that is stated. */
export type PlannedUpdate = ChangeOf<"update"> & { readonly only: Version } & {
  readonly edit: { readonly set: Partial<WebsiteSettings> };
};

/** A delete of the version that was read. */
export type PlannedDeletion = ChangeOf<"delete"> & { readonly only: Version };

/** A change that was decided on what was read. */
export type Planned = PlannedCreation | PlannedUpdate | PlannedDeletion;

/** What to do with one website, or what becomes of it without a request. */
export type Decision = Planned | Result;

/** Whether something is to be sent. */
export function isChange<Some extends Change>(decision: Some | Result): decision is Some {
  return "action" in decision;
}

/** What is known of the website of an entry. */
interface Situation {
  /** The website with this domain; undefined if none exists. */
  readonly existing: Version | undefined;
  readonly policy: Policy;
  /** What is wrong with the password that the entry names. A plan reads no password. */
  readonly passwordFault?: string | undefined;
}

/** Decides what to do with an entry. It refuses what the service would refuse. */
export function decide(entry: WebsiteEntry, { existing, policy, passwordFault }: Situation): Decision {
  const { place, domain, lists = {} } = entry;
  const website = existing?.website;
  const id = website?.id;
  const settle = (result: Pick<Result, "outcome" | "reason">): Decision => ({ place, domain, id, ...result });
  const conflict = existing && conflictOf(policy);
  if (conflict !== undefined) return settle(conflict);
  const set = policy.isExact ? completeSettings(entry.settings) : entry.settings;
  const reason = passwordFault ?? reasonOfPassword({ ...entry, settings: set }, website);
  if (reason !== undefined) return settle({ outcome: "refused", reason });
  const password = entry.password === undefined ? {} : { password: entry.password };
  if (existing === undefined) return { action: "create", place, domain, set, ...password };
  // Each is one of the settings, with its own value.
  const fields = fieldsOf({ set }, existing.website) as Partial<WebsiteSettings>;
  const sent = policy.setsPasswords || !isProtected(existing.website) ? password : {};
  if (Object.keys({ ...fields, ...sent }).length === 0) return settle({ outcome: "unchanged" });
  const edit = { set: policy.isExact ? fields : set };
  const only = existing;
  return { action: "update", id: only.website.id, domain, edit, only, place, lists, ...sent };
}

/** Returns what becomes of a website because it exists; undefined if it is to be updated. */
export function conflictOf({ onConflict }: Policy): Pick<Result, "outcome" | "reason"> | undefined {
  if (onConflict === "update") return undefined;
  return { outcome: onConflict === "skip" ? "skipped" : "refused", reason: exists };
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
