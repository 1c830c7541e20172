import type { Siteward, Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { readText } from "../files/read-text.ts";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { readSiteFile } from "../site-file/read-site-file.ts";
import { findByDomains } from "../websites/find-by-domains.ts";
import { computePlan, type Plan } from "./compute-plan.ts";
import { fileError, howToStart } from "./file-error.ts";
import type { Policy } from "./policy.ts";

/**
 * Reads the websites that a site file lists.
 *
 * @param path `-` for standard input
 * @throws CliError `usage` if the file cannot be read, `input_refused` if it has problems
 */
export async function readEntries(io: Io, path: string): Promise<readonly WebsiteEntry[]> {
  const { entries, problems } = await readSiteFile(await readText(io, path, howToStart));
  if (problems.length > 0) throw fileError(path, problems);
  return entries;
}

/** What to plan. */
interface PlanRequest {
  /** The path of the site file, for messages. */
  readonly path: string;
  readonly entries: readonly WebsiteEntry[];
  readonly policy: Policy;
}

/**
 * Reads the account and computes what to change.
 *
 * @throws CliError `input_refused` if a website would have no password
 * @throws SitewardError
 */
export async function makePlan(io: Io, siteward: Siteward, { path, entries, policy }: PlanRequest): Promise<Plan> {
  const domains = new Set(entries.map(({ domain }) => domain));
  using progress = startProgress(io, { label: "Reading the account" });
  const advance = (): void => progress.advance();
  const account = policy.isPruned ? await readAll(siteward, advance) : await readListed(siteward, domains, advance);
  const computed = computePlan({ entries, policy, ...account });
  if ("problems" in computed) throw fileError(path, computed.problems);
  return computed.plan;
}

/** The part of an account that a plan compares with a file. */
interface AccountState {
  readonly existing: ReadonlyMap<string, Website>;
  /** How many websites the account has. */
  readonly total: number;
}

/** Reads every website, with one request for each 100. */
async function readAll(siteward: Siteward, onRequest: () => void): Promise<AccountState> {
  const existing = new Map<string, Website>();
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of siteward.websites.list({ sort_by: "id", sort: "asc" }).pages()) {
    onRequest();
    for (const website of page.data) existing.set(website.domain, website);
  }
  return { existing, total: existing.size };
}

/**
 * Reads the websites with these domains, with as few requests as possible: one for each 100 websites at most, and one
 * more.
 */
async function readListed(
  siteward: Siteward,
  domains: ReadonlySet<string>,
  onRequest: () => void,
): Promise<AccountState> {
  const existing = await findByDomains(siteward, domains, onRequest);
  const { meta } = await siteward.websites.list();
  onRequest();
  return { existing, total: meta.total };
}
