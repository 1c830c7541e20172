import { websiteTag } from "../records/website-tag.ts";
import { versionAt } from "./version-at.ts";
import type { WebsiteList } from "./website-list.ts";

/** Returns the entity tags of the records of a page, in their order. */
export function tagRecords(accountId: number, page: Pick<WebsiteList, "websites" | "versions">): string[] {
  return page.websites.map((website, index) => websiteTag(accountId, { website, version: versionAt(page, index) }));
}
