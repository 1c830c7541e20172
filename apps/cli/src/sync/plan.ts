import type { Siteward } from "@siteward/sdk";
import type { WebsiteEntry } from "../files/entry.ts";
import { readText } from "../files/read-text.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { readSiteFile } from "../files/site/read-site-file.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { type FoundWebsites, findByDomains } from "../websites/find-by-domains.ts";
import { type Change, type Decision, type Deletion, decide } from "./decide.ts";
import type { Policy } from "./policy.ts";
import { fileError, howToStart, refuseRows } from "./problems.ts";

/** What to change, so that the account has what a file lists. */
export interface Plan {
  /** Creates and updates in the order of the file, then deletes in the order of the domains. */
  readonly changes: readonly Change[];
  /** How many websites already have the settings of the file. */
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly unlisted: number;
}

/**
 * Reads the websites that a site file lists.
 *
 * @param path `-` for standard input
 * @throws CliError `usage` if the file cannot be read, `input_refused` if it has problems
 */
export async function readEntries(io: Io, path: string): Promise<readonly WebsiteEntry[]> {
  const { entries, problems } = await readSiteFile(await readText(io, path, { ifMissing: howToStart }));
  if (problems.length > 0) {
    refuseRows(path);
    throw fileError(path, problems);
  }
  return entries;
}

/** What to plan. */
interface PlanRequest {
  /** The path of the site file, for messages. */
  readonly path: string;
  readonly entries: readonly WebsiteEntry[];
  readonly policy: Policy;
}

/** A plan, and the entity tags of the websites that it was computed from, by ID. */
export interface TaggedPlan extends Pick<FoundWebsites, "tags"> {
  readonly plan: Plan;
}

/**
 * Reads the account and computes what to change.
 *
 * @throws CliError `input_refused` if a website would have no password
 * @throws SitewardError
 */
export async function makePlan(
  io: Io,
  siteward: Siteward,
  { path, entries, policy }: PlanRequest,
): Promise<TaggedPlan> {
  using progress = startProgress(io, { label: "Reading the account" });
  const domains = policy.isPruned ? "all" : new Set(entries.map(({ domain }) => domain));
  const account = await findByDomains(siteward, domains, () => progress.advance());
  const computed = computePlan(entries, account, policy);
  if ("problems" in computed) throw fileError(path, computed.problems);
  return { plan: computed.plan, tags: account.tags };
}

/** A plan, or why there is none. */
type ComputedPlan = { readonly plan: Plan } | { readonly problems: readonly FileProblem[] };

/**
 * Compares what a file lists with the websites of the account, and returns what to change.
 *
 * @param entries no domain is in them twice
 * @param account has those that the file lists, or all of them if the others are to be deleted
 */
export function computePlan(
  entries: readonly WebsiteEntry[],
  { byDomain, total }: Pick<FoundWebsites, "byDomain" | "total">,
  policy: Policy,
): ComputedPlan {
  const decisions = entries.map((entry) => decide(entry, { existing: byDomain.get(entry.domain), policy }));
  const problems = decisions.flatMap(problemOf);
  if (problems.length > 0) return { problems };
  const changes = decisions.filter((decision) => decision.action !== "none");
  const unchanged = entries.length - changes.length;
  const found = entries.filter(({ domain }) => byDomain.has(domain)).length;
  if (!policy.isPruned) return { plan: { changes, unchanged, unlisted: Math.max(0, total - found) } };
  const listed = new Set(entries.map(({ domain }) => domain));
  const deletions = [...byDomain.values()]
    .filter(({ domain }) => !listed.has(domain))
    .toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
    .map((website): Deletion => ({ action: "delete", domain: website.domain, website }));
  return { plan: { changes: [...changes, ...deletions], unchanged, unlisted: 0 } };
}

function problemOf(decision: Decision): readonly FileProblem[] {
  if (decision.action !== "none" || decision.verdict.outcome !== "refused") return [];
  const { place, domain, verdict } = decision;
  return place === undefined ? [] : [{ place, website: place, domain, problem: verdict.reason ?? "" }];
}
