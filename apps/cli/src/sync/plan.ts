import type { Siteward } from "@siteward/sdk";
import { readVersions, type Version, type Wanted } from "@siteward/sdk/bulk";
import type { WebsiteEntry } from "../files/entry.ts";
import { foreseePasswordFault } from "../files/passwords.ts";
import { readText } from "../files/read-text.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { readSiteFile } from "../files/site/read-site-file.ts";
import type { Warning } from "../output/notices.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { type Decision, decide, isChange, type Planned, type PlannedDeletion } from "./decide.ts";
import { applyPolicy, type Policy } from "./policy.ts";
import { fileError, howToStart, problemText } from "./problems.ts";

/** What to change, so that the account has what a file lists. */
export interface Plan {
  /** Creates and updates in the order of the file, then deletes in the order of the domains. */
  readonly changes: readonly Planned[];
  /** How many websites already have the settings of the file. */
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly unlisted: number;
}

/** Returns how many changes of each kind a plan has. */
export function countChanges({ changes }: Plan): Record<Planned["action"], number> {
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
 * @throws CliError `input_refused` if a website would have no password
 * @throws SitewardError
 */
export async function makePlan(
  io: Io,
  siteward: Siteward,
  { path, entries, policy, isPruned }: PlanRequest,
): Promise<Plan> {
  const domains = new Set(entries.map(({ domain }) => domain));
  // For no domain, nothing would be read, and nobody knows how many websites the account has.
  const { byDomain, total } = await readAccount(io, siteward, isPruned || domains.size === 0 ? "all" : { domains });
  const decisions = entries.map((entry) => decide(entry, { existing: byDomain.get(entry.domain), policy }));
  const refused = decisions.flatMap(problemOf);
  if (refused.length > 0) throw fileError(path, refused);
  const changes = decisions.filter((decision) => isChange(decision));
  const listed = entries.filter(({ domain }) => byDomain.has(domain)).length;
  return {
    changes: [...changes, ...(isPruned ? deletionsOf(byDomain, domains) : [])],
    unchanged: entries.length - changes.length,
    unlisted: isPruned ? 0 : Math.max(0, total - listed),
  };
}

/** Reads which of these websites the account has, or all that it has, and how many it has. */
export async function readAccount(io: Io, siteward: Siteward, wanted: Wanted) {
  using progress = startProgress(io, { label: "Reading the account" });
  const { versions, total } = await readVersions(siteward, wanted, { onRead: () => progress.advance() });
  return { byDomain: new Map(Array.from(versions.values(), (version) => [version.website.domain, version])), total };
}

function deletionsOf(existing: ReadonlyMap<string, Version>, listed: ReadonlySet<string>): readonly PlannedDeletion[] {
  return [...existing]
    .filter(([domain]) => !listed.has(domain))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([domain, only]) => ({ action: "delete", id: only.website.id, domain, only }));
}

function problemOf(decision: Decision): readonly FileProblem[] {
  if (isChange(decision) || decision.outcome !== "refused") return [];
  const { place, domain, reason = "" } = decision;
  return place === undefined ? [] : [{ place, website: place, domain, problem: reason }];
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
