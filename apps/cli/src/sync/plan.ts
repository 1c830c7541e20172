import type { Siteward } from "@siteward/sdk";
import type { WebsiteEntry } from "../files/entry.ts";
import { foreseePasswordFault } from "../files/passwords.ts";
import { readText } from "../files/read-text.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { readSiteFile } from "../files/site/read-site-file.ts";
import type { Warning } from "../output/notices.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { type FoundWebsites, findByDomains } from "../websites/find-by-domains.ts";
import { type Change, type Decision, type Deletion, decide } from "./decide.ts";
import { applyPolicy, type Policy } from "./policy.ts";
import { fileError, howToStart, problemText } from "./problems.ts";

/** What to change, so that the account has what a file lists. */
export interface Plan {
  /** Creates and updates in the order of the file, then deletes in the order of the domains. */
  readonly changes: readonly Change[];
  /** How many websites already have the settings of the file. */
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly unlisted: number;
}

/** Returns how many changes of each kind a plan has. */
export function countChanges({ changes }: Plan): Record<Change["action"], number> {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

/**
 * Reads the websites that a site file lists.
 *
 * @param path `-` for standard input
 * @throws CliError `usage` if the file cannot be read, `input_refused` if it has problems
 */
export async function readEntries(io: Io, path: string): Promise<readonly WebsiteEntry[]> {
  const { entries, problems } = await readSiteFile(await readText(io, path, { ifMissing: howToStart }));
  if (problems.length > 0) throw fileError(path, problems);
  return entries;
}

/** What to plan. */
interface PlanRequest {
  /** The path of the site file, for messages. */
  readonly path: string;
  /** No domain is in them twice. */
  readonly entries: readonly WebsiteEntry[];
  readonly policy: Policy;
  /** Whether to delete the websites that are not in the file. */
  readonly isPruned: boolean;
}

/**
 * Reads the account and computes what to change.
 *
 * @returns the plan, and the entity tags of the websites that it was computed from, by ID
 * @throws CliError `input_refused` if a website would have no password
 * @throws SitewardError
 */
export async function makePlan(
  io: Io,
  siteward: Siteward,
  { path, entries, policy, isPruned }: PlanRequest,
): Promise<{ readonly plan: Plan; readonly tags: FoundWebsites["tags"] }> {
  const domains = new Set(entries.map(({ domain }) => domain));
  const { byDomain, tags, total } = await readAccount(io, siteward, isPruned ? "all" : domains);
  const decisions = entries.map((entry) => decide(entry, { existing: byDomain.get(entry.domain), policy }));
  const refused = decisions.flatMap(problemOf);
  if (refused.length > 0) throw fileError(path, refused);
  const changes: readonly Change[] = decisions.filter((decision) => decision.action !== "none");
  const plan = {
    changes: [...changes, ...(isPruned ? deletionsOf(byDomain, domains) : [])],
    unchanged: entries.length - changes.length,
    unlisted: isPruned ? 0 : Math.max(0, total - byDomain.size),
  };
  return { plan, tags };
}

/** Reads which of these websites the account has, or all that it has. */
export async function readAccount(
  io: Io,
  siteward: Siteward,
  domains: Parameters<typeof findByDomains>[1],
): Promise<FoundWebsites> {
  using progress = startProgress(io, { label: "Reading the account" });
  return await findByDomains(siteward, domains, () => progress.advance());
}

function deletionsOf(existing: FoundWebsites["byDomain"], listed: ReadonlySet<string>): readonly Deletion[] {
  return [...existing]
    .filter(([domain]) => !listed.has(domain))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([domain, website]) => ({ action: "delete", domain, website }));
}

function problemOf(decision: Decision): readonly FileProblem[] {
  if (decision.action !== "none" || decision.verdict.outcome !== "refused") return [];
  const { place, domain, verdict } = decision;
  return place === undefined ? [] : [{ place, website: place, domain, problem: verdict.reason ?? "" }];
}

/**
 * Returns what a plan or an apply of a valid file can refuse, as warnings: websites without a password, which only
 * those that have a stored one may be, and passwords that this environment does not have. Opens no file of a password.
 *
 * @param path that of the site file; `-` for standard input
 */
export async function foreseeRefusals(
  io: Io,
  path: string,
  entries: readonly WebsiteEntry[],
): Promise<readonly Warning[]> {
  const policy = applyPolicy(true);
  // In an empty account, no website has a stored password.
  const open = entries.flatMap((entry) => problemOf(decide(entry, { existing: undefined, policy })));
  const missing: FileProblem[] = [];
  for (const { place, domain, password } of entries) {
    const problem = password && (await foreseePasswordFault(password, io, path));
    if (problem !== undefined) missing.push({ place, domain, problem });
  }
  return [
    { head: planRefuses, things: open.map(problemText) },
    { head: applyRefuses, things: missing.map(problemText) },
  ].filter(({ things }) => things.length > 0);
}

const planRefuses = "A plan refuses these websites, unless the account has a password for them:";
const applyRefuses =
  "These websites have no valid password in this environment. An apply that has to send it refuses them:";
