import { isDeepStrictEqual } from "node:util";
import { Privacy } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { completeSettings, pickSettings, settingNames } from "../site-file/settings.ts";
import type { Change, Creation, Plan, Update } from "./plan.ts";

/** What a plan is computed from. */
export interface PlanInput {
  /** What the file lists. No domain is in it twice. */
  readonly entries: readonly WebsiteEntry[];
  /** The websites of the account by domain: those that the file lists, or all of them if the others are to be deleted. */
  readonly existing: ReadonlyMap<string, Website>;
  /** How many websites the account has. */
  readonly total: number;
  /** Whether to delete the websites that are not in the file. */
  readonly isPruned: boolean;
  /** Whether to send every password. Without it, a stored password counts as right, since it cannot be read. */
  readonly setsPasswords: boolean;
}

/** A plan, or why there is none. */
export type ComputedPlan = { readonly plan: Plan } | { readonly problems: readonly FileProblem[] };

/** Compares what a file lists with the websites of the account, and returns what to change. */
export function computePlan({ entries, existing, total, isPruned, setsPasswords }: PlanInput): ComputedPlan {
  const changes: Change[] = [];
  const problems: FileProblem[] = [];
  for (const entry of entries) {
    const website = existing.get(entry.domain);
    const change = website === undefined ? creationOf(entry) : updateOf(entry, website, setsPasswords);
    if (change === undefined) continue;
    changes.push(change);
    if (lacksPassword(change)) problems.push(missingPassword(entry));
  }
  if (problems.length > 0) return { problems };
  const unchanged = entries.length - changes.length;
  const listed = new Set(entries.map(({ domain }) => domain));
  const surplus = isPruned ? [...existing.values()].filter(({ domain }) => !listed.has(domain)) : [];
  for (const website of surplus.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))) {
    changes.push({ action: "delete", domain: website.domain, website });
  }
  const found = entries.filter(({ domain }) => existing.has(domain)).length;
  return { plan: { changes, unchanged, unlisted: Math.max(0, total - found - surplus.length) } };
}

function creationOf({ place, domain, settings: stated, password }: WebsiteEntry): Creation {
  const settings = completeSettings(stated);
  const isSent = settings.privacy === Privacy.Password && password !== undefined;
  return { action: "create", place, domain, settings, ...(isSent ? { password } : {}) };
}

function updateOf(entry: WebsiteEntry, website: Website, setsPasswords: boolean): Update | undefined {
  const { place, domain, password } = entry;
  const wanted = completeSettings(entry.settings);
  const changed = settingNames.filter((name) => !isDeepStrictEqual(wanted[name], website[name]));
  const isProtected = website.privacy === Privacy.Password && website.has_password;
  const isSent = wanted.privacy === Privacy.Password && password !== undefined && (setsPasswords || !isProtected);
  if (changed.length === 0 && !isSent) return undefined;
  const settings = pickSettings(wanted, changed);
  return { action: "update", place, domain, website, settings, ...(isSent ? { password } : {}) };
}

/** Whether a website becomes protected by a password that the file does not name. */
function lacksPassword({ settings, password }: Creation | Update): boolean {
  return settings.privacy === Privacy.Password && password === undefined;
}

function missingPassword({ place, domain }: WebsiteEntry): FileProblem {
  const problem = "privacy: password requires a password. Add password_env, the name of an environment variable, or";
  return { place, website: place, domain, problem: `${problem} password_file, the path of a file` };
}
