import { defaultOrder, listWebsitesQuery } from "@siteward/contract";
import type { ListQuery } from "./read-list-request.ts";

/** What a request without parameters gets. Links omit parameters that say the same. */
const defaults = { ...defaultOrder, ...listWebsitesQuery.parse({}) };
const linkedParameters = ["sort_by", "sort", "per_page", "changed_since", "entity_tags"] as const;

/**
 * Returns a function that builds the links of a page. They differ only in their cursor, which needs no encoding.
 *
 * @param listUrl the URL of the list without a query
 */
export function createLinks(listUrl: string, query: ListQuery): (cursor: string | null) => string {
  const search = query.search?.trim() ?? "";
  const shared = search === "" ? [] : [new URLSearchParams({ search }).toString()];
  for (const name of linkedParameters) {
    const value = query[name];
    if (value !== undefined && value !== defaults[name]) shared.push(`${name}=${value}`);
  }
  return (cursor) => {
    const parameters = cursor === null ? shared : [...shared, `cursor=${cursor}`];
    return parameters.length === 0 ? listUrl : `${listUrl}?${parameters.join("&")}`;
  };
}
