import type { Siteward, Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { readText } from "../files/read-text.ts";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { readSiteFile } from "../site-file/read-site-file.ts";
import { findByDomains } from "../websites/find-by-domains.ts";
import { pairWithTags } from "../websites/pair-with-tags.ts";
import { computePlan, type Plan, type PlanInput } from "./compute-plan.ts";
import { fileError, howToStart } from "./file-error.ts";
import type { Policy } from "./policy.ts";
import { refuseRows } from "./refuse-rows.ts";

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
export interface TaggedPlan {
  readonly plan: Plan;
  readonly tags: ReadonlyMap<number, string>;
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
  const domains = new Set(entries.map(({ domain }) => domain));
  using progress = startProgress(io, { label: "Reading the account" });
  const advance = (): void => progress.advance();
  const { existing, total, tags } = policy.isPruned
    ? await readAll(siteward, advance)
    : await readListed(siteward, domains, advance);
  const computed = computePlan({ entries, existing, total, policy });
  if ("problems" in computed) throw fileError(path, computed.problems);
  return { plan: computed.plan, tags };
}

/** The part of an account that a plan compares with a file. */
interface AccountState extends Pick<PlanInput, "existing" | "total">, Pick<TaggedPlan, "tags"> {}

/** Reads every website, with one request for each 100. */
async function readAll(siteward: Siteward, onRequest: () => void): Promise<AccountState> {
  const existing = new Map<string, Website>();
  const tags = new Map<number, string>();
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of siteward.websites.list({ sort_by: "id", sort: "asc", entity_tags: 1 }).pages()) {
    onRequest();
    for (const { website, tag } of pairWithTags(page)) {
      existing.set(website.domain, website);
      if (tag !== undefined) tags.set(website.id, tag);
    }
  }
  return { existing, tags, total: existing.size };
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
  const { byDomain: existing, tags } = await findByDomains(siteward, domains, { withTags: true, onRequest });
  const { meta } = await siteward.websites.list();
  onRequest();
  return { existing, tags, total: meta.total };
}
