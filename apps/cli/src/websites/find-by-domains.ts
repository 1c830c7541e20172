import type { ListWebsites, Siteward, Website, WebsitePage } from "@siteward/sdk";
import { runTasks } from "../tasks/run-tasks.ts";
import { pairWithTags } from "./pair-with-tags.ts";

const websitesPerPage = 100;
const maxLookupsAtOnce = 8;

/** Called after each answer with how many requests are done, and how many there will be in all, as far as is known. */
type RequestProgress = (done: number, total: number) => void;

/** How websites are found. */
interface FindOptions {
  /** Whether to read the entity tags of the websites, too. */
  readonly withTags?: boolean;
  readonly onRequest?: RequestProgress;
}

/** The websites of an account that were read. */
export interface FoundWebsites {
  readonly byDomain: ReadonlyMap<string, Website>;
  /** The entity tags of the websites by ID, if they were requested. */
  readonly tags: ReadonlyMap<number, string>;
}

/**
 * Finds the websites that have these domains, with few requests: after each page of 100 websites, it reads on if that takes
 * no more requests than a lookup of each domain that is still missing. It stops when every domain is found, and it stores
 * only websites that have one of the domains.
 *
 * @param domains in canonical form
 */
export async function findByDomains(
  siteward: Siteward,
  domains: ReadonlySet<string>,
  { withTags = false, onRequest = () => undefined }: FindOptions = {},
): Promise<FoundWebsites> {
  const search = startSearch(siteward, domains, withTags);
  // The first page tells how long the list is. To find one domain, a lookup needs no more requests than that.
  const pagesRead = domains.size > 1 ? await readPages(search, onRequest) : 0;
  await lookUpMissing(search, (done, total) => onRequest(pagesRead + done, pagesRead + total));
  return { byDomain: search.found, tags: search.tags };
}

interface Search {
  readonly found: Map<string, Website>;
  readonly tags: Map<number, string>;
  /** The domains that may still be found. */
  readonly missing: Set<string>;
  /** Requests pages of 100 websites. */
  readonly list: (query: ListWebsites) => AsyncIterable<WebsitePage>;
  /** Stores the websites of a page that have one of the domains. */
  readonly accept: (page: WebsitePage) => void;
}

function startSearch(siteward: Siteward, domains: ReadonlySet<string>, withTags: boolean): Search {
  const found = new Map<string, Website>();
  const tags = new Map<number, string>();
  const missing = new Set(domains);
  return {
    found,
    tags,
    missing,
    list: (query) => siteward.websites.list(withTags ? { ...query, entity_tags: 1 } : query).pages(),
    accept: (page) => {
      for (const { website, tag } of pairWithTags(page)) {
        if (!missing.delete(website.domain)) continue;
        found.set(website.domain, website);
        if (tag !== undefined) tags.set(website.id, tag);
      }
    },
  };
}

/** Reads pages until the list ends, every domain is found, or the rest takes fewer requests. Returns the number of pages. */
async function readPages({ missing, list, accept }: Search, onRequest: RequestProgress): Promise<number> {
  let pagesRead = 0;
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of list({ sort_by: "id", sort: "asc" })) {
    pagesRead += 1;
    accept(page);
    // What the list does not contain does not exist.
    if (!page.hasNextPage()) missing.clear();
    const pagesLeft = Math.ceil(page.meta.total / websitesPerPage) - pagesRead;
    onRequest(pagesRead, pagesRead + Math.max(0, Math.min(pagesLeft, missing.size)));
    if (pagesLeft > missing.size || missing.size === 0) break;
  }
  return pagesRead;
}

async function lookUpMissing(search: Search, onRequest: RequestProgress): Promise<void> {
  const domains = [...search.missing];
  let done = 0;
  await runTasks(
    domains,
    { parallel: maxLookupsAtOnce },
    (domain) => lookUp(search, domain),
    () => {
      done += 1;
      onRequest(done, domains.length);
      return undefined;
    },
  );
}

async function lookUp({ list, accept }: Search, domain: string): Promise<void> {
  // The search also finds domains that only contain this one. They are sorted, so the first that is not less decides.
  for await (const page of list({ search: domain, sort_by: "domain", sort: "asc" })) {
    accept(page);
    if (page.data.some((website) => website.domain >= domain)) return;
  }
}
