import type { Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import type { Change, Decision, Deletion } from "./change.ts";
import { decide } from "./decide.ts";
import type { Policy } from "./policy.ts";

/** What to change, so that the account has what a file lists. */
export interface Plan {
  /** Creates and updates in the order of the file, then deletes in the order of the domains. */
  readonly changes: readonly Change[];
  /** How many websites already have the settings of the file. */
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly unlisted: number;
}

/** What a plan is computed from. */
export interface PlanInput {
  /** What the file lists. No domain is in it twice. */
  readonly entries: readonly WebsiteEntry[];
  /**
   * The websites of the account by domain: those that the file lists, or all of them if the others are to be deleted.
   */
  readonly existing: ReadonlyMap<string, Website>;
  /** How many websites the account has. */
  readonly total: number;
  readonly policy: Policy;
}

/** A plan, or why there is none. */
type ComputedPlan = { readonly plan: Plan } | { readonly problems: readonly FileProblem[] };

/** Compares what a file lists with the websites of the account, and returns what to change. */
export function computePlan({ entries, existing, total, policy }: PlanInput): ComputedPlan {
  const decisions = entries.map((entry) => decide(entry, { existing: existing.get(entry.domain), policy }));
  const problems = decisions.flatMap(problemOf);
  if (problems.length > 0) return { problems };
  const changes = decisions.filter((decision) => decision.action !== "none");
  const unchanged = entries.length - changes.length;
  const listed = new Set(entries.map(({ domain }) => domain));
  const surplus = policy.isPruned ? [...existing.values()].filter(({ domain }) => !listed.has(domain)) : [];
  const deletions = surplus
    .toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
    .map((website): Deletion => ({ action: "delete", domain: website.domain, website }));
  const found = entries.filter(({ domain }) => existing.has(domain)).length;
  const unlisted = Math.max(0, total - found - surplus.length);
  return { plan: { changes: [...changes, ...deletions], unchanged, unlisted } };
}

function problemOf(decision: Decision): readonly FileProblem[] {
  if (decision.action !== "none" || decision.verdict.outcome !== "refused") return [];
  const { place, domain, verdict } = decision;
  return [{ place, website: place, domain, problem: verdict.reason ?? "" }];
}
