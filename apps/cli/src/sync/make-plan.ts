import type { Siteward } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { readText } from "../files/read-text.ts";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { readSiteFile } from "../site-file/read-site-file.ts";
import { computePlan } from "./compute-plan.ts";
import { fileError, howToStart } from "./file-error.ts";
import type { Plan } from "./plan.ts";
import { readAccount } from "./read-account.ts";

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
export interface PlanRequest {
  /** The path of the site file, for messages. */
  readonly path: string;
  readonly entries: readonly WebsiteEntry[];
  readonly isPruned: boolean;
  readonly setsPasswords: boolean;
}

/**
 * Reads the account and computes what to change.
 *
 * @throws CliError `input_refused` if a website would have no password
 * @throws SitewardError
 */
export async function makePlan(io: Io, siteward: Siteward, request: PlanRequest): Promise<Plan> {
  const { path, entries, isPruned } = request;
  const domains = new Set(entries.map(({ domain }) => domain));
  using progress = startProgress(io, { label: "Reading the account" });
  const account = await readAccount(siteward, { domains, isPruned }, () => progress.advance());
  const computed = computePlan({ ...request, ...account });
  if ("problems" in computed) throw fileError(path, computed.problems);
  return computed.plan;
}
