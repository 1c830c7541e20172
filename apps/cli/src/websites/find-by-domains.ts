import type { Siteward, Website } from "@siteward/sdk";
import { runTasks } from "../tasks/run-tasks.ts";

const websitesPerPage = 100;
const maxLookupsAtOnce = 8;

/** Called after each answer with how many requests are done, and how many there will be in all, as far as is known. */
type RequestProgress = (done: number, total: number) => void;

/**
 * Finds the websites that have these domains, with few requests: after each page of 100 websites, it reads on if that takes
 * no more requests than a lookup of each domain that is still missing. It stops when every domain is found, and it stores
 * only websites that have one of the domains.
 *
 * @param domains in canonical form
 * @returns the websites that exist, by domain
 */
export async function findByDomains(
  siteward: Siteward,
  domains: ReadonlySet<string>,
  onRequest: RequestProgress = () => undefined,
): Promise<ReadonlyMap<string, Website>> {
  const search = startSearch(domains);
  // The first page tells how long the list is. To find one domain, a lookup needs no more requests than that.
  const pagesRead = domains.size > 1 ? await readPages(siteward, search, onRequest) : 0;
  await lookUpMissing(siteward, search, (done, total) => onRequest(pagesRead + done, pagesRead + total));
  return search.found;
}

interface Search {
  readonly found: Map<string, Website>;
  /** The domains that may still be found. */
  readonly missing: Set<string>;
  /** Stores the website if it has one of the domains. */
  readonly accept: (website: Website) => void;
}

function startSearch(domains: ReadonlySet<string>): Search {
  const found = new Map<string, Website>();
  const missing = new Set(domains);
  const accept = (website: Website): void => {
    if (missing.delete(website.domain)) found.set(website.domain, website);
  };
  return { found, missing, accept };
}

/** Reads pages until the list ends, every domain is found, or the rest takes fewer requests. Returns the number of pages. */
async function readPages(siteward: Siteward, search: Search, onRequest: RequestProgress): Promise<number> {
  const { missing, accept } = search;
  let pagesRead = 0;
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of siteward.websites.list({ sort_by: "id", sort: "asc" }).pages()) {
    pagesRead += 1;
    page.data.forEach(accept);
    // What the list does not contain does not exist.
    if (!page.hasNextPage()) missing.clear();
    const pagesLeft = Math.ceil(page.meta.total / websitesPerPage) - pagesRead;
    onRequest(pagesRead, pagesRead + Math.max(0, Math.min(pagesLeft, missing.size)));
    if (pagesLeft > missing.size || missing.size === 0) break;
  }
  return pagesRead;
}

async function lookUpMissing(siteward: Siteward, search: Search, onRequest: RequestProgress): Promise<void> {
  const domains = [...search.missing];
  let done = 0;
  await runTasks(
    domains,
    { parallel: maxLookupsAtOnce },
    (domain) => siteward.websites.getByDomain(domain),
    (_domain, website) => {
      if (website !== undefined) search.accept(website);
      done += 1;
      onRequest(done, domains.length);
      return undefined;
    },
  );
}
