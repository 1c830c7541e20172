import type { WebsiteList } from "./website-list.ts";

/**
 * Returns the version of one website of a page.
 *
 * @throws Error if storage has read none: a tag without it would belong to another state of the website
 */
export function versionAt({ versions }: Pick<WebsiteList, "versions">, index: number): number {
  const version = versions[index];
  if (version === undefined) throw new Error(`Storage returned no version of website ${index} of the page.`);
  return version;
}
