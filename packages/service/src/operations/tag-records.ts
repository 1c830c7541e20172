import { versionAt } from "../lists/version-at.ts";
import type { WebsiteList } from "../lists/website-list.ts";
import { websiteTag } from "../records/website-tag.ts";

/** Returns the entity tags of the records of a page, in their order. */
export function tagRecords(accountId: number, page: Pick<WebsiteList, "websites" | "versions">): string[] {
  return page.websites.map((website, index) => websiteTag(accountId, { website, version: versionAt(page, index) }));
}
