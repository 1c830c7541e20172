import type { Website, WebsitePage } from "@siteward/sdk";

/** A website of a list, with its entity tag if the list was requested with them. */
interface TaggedWebsite {
  readonly website: Website;
  readonly tag: string | undefined;
}

/** Returns the websites of a page with their entity tags, which the page has in the same order. */
export function pairWithTags({ data, meta }: WebsitePage): readonly TaggedWebsite[] {
  return data.map((website, index) => ({ website, tag: meta.entity_tags?.[index] }));
}
