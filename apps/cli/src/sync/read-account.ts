import type { Siteward, Website } from "@siteward/sdk";
import { findByDomains } from "../websites/find-by-domains.ts";

/** The part of an account that a plan compares with a file. */
export interface AccountState {
  readonly existing: ReadonlyMap<string, Website>;
  /** How many websites the account has. */
  readonly total: number;
}

/**
 * Reads the websites with these domains, or every website, with as few requests as possible: one for each 100 websites at most.
 *
 * @param onRequest called after each answer
 */
export async function readAccount(
  siteward: Siteward,
  { domains, isPruned }: { readonly domains: ReadonlySet<string>; readonly isPruned: boolean },
  onRequest: () => void,
): Promise<AccountState> {
  if (isPruned) return await readAll(siteward, onRequest);
  const existing = domains.size === 0 ? new Map() : await findByDomains(siteward, domains, onRequest);
  const { meta } = await siteward.websites.list();
  onRequest();
  return { existing, total: meta.total };
}

async function readAll(siteward: Siteward, onRequest: () => void): Promise<AccountState> {
  const existing = new Map<string, Website>();
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of siteward.websites.list({ sort_by: "id", sort: "asc" }).pages()) {
    onRequest();
    for (const website of page.data) existing.set(website.domain, website);
  }
  return { existing, total: existing.size };
}
