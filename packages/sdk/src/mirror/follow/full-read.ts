import { WebsiteState } from "../state/website-state.ts";
import { type Following, followChanges, type Place, readPage } from "./follow-changes.ts";

/**
 * Reads all websites of the account, page by page, into a state of its own. If a request fails, the next run continues with that
 * page, so that an account of any size is read from a service that is often away.
 */
export class FullRead {
  readonly #known: WebsiteState | undefined;
  readonly #state = new WebsiteState();
  /** Where the changes begin that the pages may not have. Undefined until the first page was read. */
  #changesCursor: string | undefined;
  /** The page after those that were read. Undefined before the first one and after the last one. */
  #pageCursor: string | undefined;
  /** The state, once all pages were read. */
  #place: Place | undefined;

  /** @param known an earlier state of the account, with which what has not changed is shared */
  constructor(known: WebsiteState | undefined) {
    this.#known = known;
  }

  /**
   * Reads what is not read yet, and applies what changed meanwhile. So the state is one that the account had, and not a mixture
   * of pages that were read at different times.
   *
   * @returns the place, and when the last request was sent
   */
  async run(following: Following): Promise<Place & { readonly syncMs: number }> {
    this.#place ??= await this.#readPages(following);
    const syncMs = await followChanges(this.#place, following, () => {});
    return { ...this.#place, syncMs };
  }

  async #readPages({ client, signal }: Following): Promise<Place> {
    const from = this.#pageCursor === undefined ? {} : { cursor: this.#pageCursor };
    const list = client.websites.list({ per_page: 100, sort_by: "id", sort: "asc", ...from }, { signal });
    for await (const received of list.pages()) {
      const { websites, cursor, nextCursor } = readPage(received);
      for (const website of websites) this.#state.put(website, this.#known);
      this.#changesCursor ??= cursor;
      this.#pageCursor = nextCursor;
    }
    // A list has at least one page.
    return { state: this.#state, cursor: this.#changesCursor ?? "" };
  }
}
