import type { Storage } from "../../storage/interface/storage.ts";
import { readTrail } from "./read-trail.ts";

/** The largest number of websites that are found. A domain can be created and deleted any number of times. */
export const maxWebsites = 1_000;

/** The websites that have or had a domain. */
interface FoundWebsites {
  /** The website that has it now, and then the deleted ones, the last deleted first. */
  readonly ids: readonly number[];
  /** Whether more websites had it. */
  readonly hasMore: boolean;
}

/**
 * Finds the websites of an account that have or had a domain. A domain never changes, and the last entry of a website's trail is its
 * deletion, with its domain. So this reads the deletions of the account, at most 1,000 entries in one query.
 *
 * @param domain in canonical form
 */
export async function findWebsitesByDomain(
  { websites, audit }: Pick<Storage, "websites" | "audit">,
  accountId: number,
  domain: string,
): Promise<FoundWebsites> {
  const live = await findLive(websites, accountId, domain);
  const ids = live === undefined ? [] : [live];
  for await (const { entries } of readTrail(audit, { accountId, actions: ["website.deleted"], limit: undefined })) {
    for (const { subjectId, changes } of entries) {
      const change = changes["domain"];
      if (typeof change !== "object" || !("from" in change) || change.from !== domain) continue;
      if (ids.length === maxWebsites) return { ids, hasMore: true };
      ids.push(subjectId);
    }
  }
  return { ids, hasMore: false };
}

/** The first website of the list by domain, from that domain on, is the one that has it. */
async function findLive(websites: Storage["websites"], accountId: number, domain: string): Promise<number | undefined> {
  const start = { position: { key: domain, side: "before" }, direction: "forward" } as const;
  const { websites: found } = await websites.list(accountId, { sortBy: "domain", sort: "asc", perPage: 1, start });
  return found[0]?.domain === domain ? found[0].id : undefined;
}
