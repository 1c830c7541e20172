import { isSitewardError } from "../../errors/siteward-error.ts";
import { MirrorError } from "../mirror-error.ts";
import { applyChanges } from "../state/apply-changes.ts";
import { type ChangesPage, type ReceivedPage, readChangesPage } from "../state/changes-page.ts";
import type { WebsiteChange } from "../state/mirrored-website.ts";
import type { WebsiteState } from "../state/website-state.ts";
import type { MirrorClient } from "./mirror-client.ts";

/** A state of the account, and where the changes after it begin. */
export interface Place {
  readonly state: WebsiteState;
  /** Moves as changes are applied. */
  cursor: string;
}

/** What requests need. */
export interface Following {
  readonly client: MirrorClient;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/**
 * Applies all changes since the place, page by page, and moves the place.
 *
 * @param onChanges called with the changes of each page, after all of them are applied
 * @returns when the last request was sent, in milliseconds since 1970: the state has every change that was acknowledged before
 * @throws the error of the request that failed. What was applied before stays, and the place is behind it.
 */
export async function followChanges(
  place: Place,
  { client, signal, nowMs }: Following,
  onChanges: (changes: readonly WebsiteChange[]) => void,
): Promise<number> {
  for (;;) {
    const sentMs = nowMs();
    const page = await requestChanges(client, place.cursor, signal);
    if (page === undefined) return sentMs;
    if (page.nextCursor !== undefined && page.cursor === place.cursor)
      throw notSupported("more changes, but no way to them");
    const changes = applyChanges(place.state, page);
    place.cursor = page.cursor;
    onChanges(changes);
    if (page.nextCursor === undefined) return sentMs;
  }
}

/** @returns the page, or undefined if nothing has changed */
async function requestChanges(
  client: MirrorClient,
  cursor: string,
  signal: AbortSignal,
): Promise<ChangesPage | undefined> {
  // Each page is a list of its own. `pages()` would send the headers of the first one, and so its cursor, with all others.
  const query = { changed_since: cursor, per_page: 100 } as const;
  // The schedule of the mirror is what retries.
  const call = { signal, maxRetries: 0, headers: { "If-None-Match": `"${cursor}"` } };
  try {
    return readPage(await client.websites.list(query, call));
  } catch (error) {
    if (isSitewardError(error) && error.code === "not_modified") return undefined;
    throw error;
  }
}

/** @throws MirrorError if the answer is not one of a service with changes */
export function readPage(page: ReceivedPage): ChangesPage {
  const read = readChangesPage(page);
  if (read === undefined) throw notSupported("a page without the websites and the meta.changes_cursor that it needs");
  return read;
}

function notSupported(returned: string): MirrorError {
  const message = `A mirror got ${returned}. Check baseUrl and any proxy in between, and update the service if it is older.`;
  return new MirrorError("changes_not_supported", message);
}
