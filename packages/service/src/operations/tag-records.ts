import type { WebsiteList } from "../lists/website-list.ts";
import { websiteTag } from "../records/website-tag.ts";

/**
 * Returns the entity tags of the records of a page, in their order.
 *
 * @throws Error if storage has read no version: a tag without it would belong to another state of the website
 */
export function tagRecords(accountId: number, page: Pick<WebsiteList, "websites" | "versions">): string[] {
  return page.websites.map((website, index) => {
    const version = page.versions[index];
    if (version === undefined) throw new Error(`Storage returned no version of website ${index} of the page.`);
    return websiteTag(accountId, { website, version });
  });
}
