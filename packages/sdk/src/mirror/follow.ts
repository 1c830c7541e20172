import { isWebsite } from "@siteward/contract/plain";
import type { WebsitePage } from "@siteward/contract/types";
import { isApiError } from "../errors/api-error.ts";
import { SitewardError } from "../errors/siteward-error.ts";
import type { Siteward } from "../siteward.ts";
import { type MirroredWebsite, type WebsiteChange, WebsiteState } from "./state.ts";

/** A state of the account, and where the changes after it begin. */
export interface Place {
  readonly state: WebsiteState;
  /** Moves as changes are applied. */
  cursor: string;
  /** The state has every change that was acknowledged before this time, in milliseconds since 1970. */
  syncMs: number;
}

/** A read of all websites. Its cursor is that of the first page, after which changes may be missing. Empty before. */
interface FullRead extends Place {
  /** The page after those that were read. Undefined before the first one, and null after the last one. */
  pageCursor?: string | null;
}

/** What ends it, and what is told: changes after the first state, and each page of the read for that. */
type FollowOptions = Readonly<{
  signal: AbortSignal;
  onChanges: (changes: Iterable<WebsiteChange>) => void;
  onRead: (websites: ReadonlyMap<number, MirroredWebsite>, total: number) => void;
}>;

/** The websites of an account as they are known last, and what it takes to bring them up to date. */
export class FollowedWebsites {
  /** Undefined until all websites were read once. */
  place: Place | undefined;
  /** A read of all websites that has begun. The place is served until it is complete. */
  #reading: FullRead | undefined;
  readonly #siteward: Siteward;
  readonly #options: FollowOptions;

  constructor(siteward: Siteward, options: FollowOptions) {
    this.#siteward = siteward;
    this.#options = options;
  }

  /**
   * Brings the place up to date: by the changes since the last time, or if they are no longer known, by all websites.
   *
   * @throws the error of the request that failed. The next call continues from there.
   */
  async sync(): Promise<void> {
    if (this.place !== undefined && this.#reading === undefined) {
      try {
        return await this.#follow(this.place, this.#options.onChanges);
      } catch (error) {
        if (!isCursorRefused(error)) throw error;
        this.#reading = beginFullRead();
        if (!isApiError(error, "cursor_expired")) throw error;
      }
    }
    this.#reading ??= beginFullRead();
    const before = this.place;
    try {
      this.place = await this.#readAll(this.#reading, before?.state);
      this.#reading = undefined;
    } catch (error) {
      // The read took longer than changes are kept, or another installation answers. The next call begins anew.
      if (isCursorRefused(error)) this.#reading = undefined;
      throw error;
    }
    if (before !== undefined) this.#options.onChanges(this.place.state.changesSince(before.state));
  }

  /**
   * Reads what is not read yet, page by page, and then what changed meanwhile, so the state is one that the account
   * had. After a failure it continues with the page that failed: any account is read from a service that is often away.
   */
  async #readAll(reading: FullRead, known: WebsiteState | undefined): Promise<Place> {
    if (reading.pageCursor !== null) {
      // Newest first for a screen that fills. Later differences are told in order.
      const sort = known === undefined ? "desc" : "asc";
      const query = { per_page: 100, sort_by: "id", sort, cursor: reading.pageCursor } as const;
      for await (const page of this.#siteward.websites.list(query, { signal: this.#options.signal }).pages()) {
        checkPage(page);
        for (const website of page.data) reading.state.put(website, known);
        reading.cursor ||= page.meta.changes_cursor;
        reading.pageCursor = page.meta.next_cursor;
        if (known === undefined) this.#options.onRead(reading.state.byId, page.meta.total);
      }
    }
    await this.#follow(reading, () => {});
    return reading;
  }

  /**
   * Applies all changes since the place, page by page, and moves the place. What was applied before a failure stays.
   */
  async #follow(place: Place, onChanges: (changes: readonly WebsiteChange[]) => void): Promise<void> {
    let sentMs = Date.now();
    // The schedule of the mirror is what retries. Only the first page can have the entity tag of no changes.
    const call = { signal: this.#options.signal, maxRetries: 0, headers: { "If-None-Match": `"${place.cursor}"` } };
    const list = this.#siteward.websites.list({ changed_since: place.cursor, per_page: 100 }, call);
    try {
      for await (const page of list.pages()) {
        checkPage(page);
        const changes = apply(place.state, page);
        place.cursor = page.meta.changes_cursor;
        onChanges(changes);
        if (page.meta.next_cursor !== null) sentMs = Date.now();
      }
    } catch (error) {
      if (!isApiError(error, "not_modified")) throw error;
    }
    place.syncMs = sentMs;
  }
}

function beginFullRead(): FullRead {
  return { state: new WebsiteState(), cursor: "", syncMs: 0 };
}

/**
 * Whether the service cannot continue from a cursor: 410, or the statuses of one that it does not understand, such as
 * that of a newer service which an older one replaced.
 */
function isCursorRefused(error: unknown): boolean {
  return isApiError(error) && [400, 410, 422].includes(error.status);
}

/**
 * Checks a page of websites or of changes, which a proxy may have sent in place of the service.
 *
 * @throws SitewardError `unexpected_response`
 */
function checkPage({ data, meta }: WebsitePage): void {
  const { changes_cursor: cursor, deleted_ids: deletedIds = [] }: { readonly [Name in keyof typeof meta]?: unknown } =
    meta;
  const isRight = data.every(isWebsite) && typeof cursor === "string" && Array.isArray(deletedIds);
  if (isRight && deletedIds.every(Number.isSafeInteger)) return;
  const message =
    "A mirror got a page without the websites and the meta.changes_cursor that it needs. " +
    "Check baseUrl and any proxy in between, and update the service if it is older.";
  throw new SitewardError("unexpected_response", message);
}

/**
 * Applies a page of changes. A page can come twice: the second time, it changes nothing.
 *
 * Deletions come first, so that whoever is told of them in this order sees a domain become free before it is used
 * again. A website that is on the page and deleted is deleted, because IDs are never reused.
 */
function apply(state: WebsiteState, { data, meta }: WebsitePage): WebsiteChange[] {
  const deleted = new Set(meta.deleted_ids);
  const changes = [
    ...Array.from(deleted, (id) => state.delete(id)),
    ...data.map((website) => (deleted.has(website.id) ? undefined : state.put(website))),
  ];
  return changes.filter((change) => change !== undefined);
}
