import type { ChangesPage } from "./changes-page.ts";
import type { WebsiteChange } from "./mirrored-website.ts";
import type { WebsiteState } from "./website-state.ts";

/**
 * Applies a page of changes. A page can come twice: the second time, it changes nothing.
 *
 * Deletions come first, so that whoever is told of them in this order sees a domain become free before it is used again. A website
 * that is on the page and deleted is deleted, because IDs are never reused.
 *
 * @returns what changed
 */
export function applyChanges(state: WebsiteState, { websites, deletedIds }: ChangesPage): WebsiteChange[] {
  const deleted = new Set(deletedIds);
  const changes = [
    ...deletedIds.map((id) => state.delete(id)),
    ...websites.map((website) => (deleted.has(website.id) ? undefined : state.put(website))),
  ];
  return changes.filter((change) => change !== undefined);
}
