import type { Siteward, Website, WebsitePage } from "@siteward/sdk";

/** A website as it was read, with its entity tag. */
export interface Version {
  readonly website: Website;
  readonly tag: string;
}

export async function readVersion(client: Siteward, id: number): Promise<Version> {
  const { data, response } = await client.websites.get(id).withResponse();
  return { website: data, tag: response.etag ?? "" };
}

/** Returns the versions of a page that was asked for with `entity_tags`. */
export function toVersions({ data, meta }: WebsitePage): Version[] {
  return data.map((website, at) => ({ website, tag: meta.entity_tags?.[at] ?? "" }));
}
