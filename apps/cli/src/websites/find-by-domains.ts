import type { ListWebsites, Siteward, Website, WebsitePage } from "@siteward/sdk";
import { parallelRequests, runTasks } from "../process/run-tasks.ts";

const websitesPerPage = 100;

/** The websites of an account that were read. */
export interface FoundWebsites {
  readonly byDomain: ReadonlyMap<string, Website>;
  /** The entity tags of these websites, by ID. */
  readonly tags: ReadonlyMap<number, string>;
  /** How many websites the account has. */
  readonly total: number;
}

/**
 * Finds the websites that have these domains, or all of the account, with few requests: after each page of 100
 * websites, it reads on if that takes no more requests than a lookup of each domain that is still missing. It stores
 * only what it finds.
 *
 * @param domains in canonical form; "all" for every website
 * @param onRequest called after each answer
 */
export async function findByDomains(
  siteward: Siteward,
  domains: ReadonlySet<string> | "all",
  onRequest: () => void = () => undefined,
): Promise<FoundWebsites> {
  const [byDomain, tags] = [new Map<string, Website>(), new Map<number, string>()];
  const list = (query: ListWebsites) => siteward.websites.list({ ...query, entity_tags: 1 }).pages();
  const accept = ({ data, meta }: WebsitePage): void => {
    onRequest();
    for (const [index, website] of data.entries()) {
      if (domains !== "all" && !domains.has(website.domain)) continue;
      byDomain.set(website.domain, website);
      // A page has the tags in the order of its websites.
      const tag = meta.entity_tags?.[index];
      if (tag !== undefined) tags.set(website.id, tag);
    }
  };
  const lookUp = async (domain: string): Promise<void> => {
    // The search also finds domains that only contain this one. They are sorted, so the first that is not less decides.
    for await (const page of list({ search: domain, sort_by: "domain", sort: "asc" })) {
      accept(page);
      if (page.data.some((website) => website.domain >= domain)) return;
    }
  };
  let [total, pagesRead] = [0, 0];
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  for await (const page of list({ sort_by: "id", sort: "asc" })) {
    accept(page);
    pagesRead += 1;
    total = page.meta.total;
    // What the list does not contain does not exist.
    if (domains === "all" || page.meta.next_cursor === null) continue;
    const count = domains.size - byDomain.size;
    if (count > 0 && count >= Math.ceil(total / websitesPerPage) - pagesRead) continue;
    const missing = [...domains].filter((domain) => !byDomain.has(domain));
    await runTasks(missing, { parallel: parallelRequests }, lookUp);
    break;
  }
  return { byDomain, tags, total };
}
