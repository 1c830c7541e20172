import type { WebsitePage as Body, ListWebsitesQuery, Website } from "@siteward/contract/types";

/** A page as it comes over the wire. */
export type WebsitePageBody = Body;

/** One page of a list of websites, and the way to the next. As JSON it is the page as the service sent it. */
export class WebsitePage implements Body {
  /** The records of this page, in the order asked for. */
  readonly data: Website[];
  /** URLs of the first page and of the pages before and after, the latter two by cursor; null where there is none. */
  readonly links: Body["links"];
  /** The size of the page, how many records match in all, and the cursors of the pages before and after. */
  readonly meta: Body["meta"];
  readonly #query: ListWebsitesQuery;
  readonly #readPage: (query: ListWebsitesQuery) => PromiseLike<WebsitePage>;

  /** @internal */
  constructor(body: Body, query: ListWebsitesQuery, readPage: (query: ListWebsitesQuery) => PromiseLike<WebsitePage>) {
    this.data = body.data;
    this.links = body.links;
    this.meta = body.meta;
    this.#query = query;
    this.#readPage = readPage;
  }

  /** Whether there is a page after this one. */
  hasNextPage(): boolean {
    return this.meta.next_cursor !== null;
  }

  /**
   * Asks for the page after this one, with the same query and call options.
   *
   * @returns the page, or undefined where this is the last one
   * @example
   * for (let page = await list; page !== undefined; page = await page.nextPage()) show(page.data);
   */
  async nextPage(): Promise<WebsitePage | undefined> {
    if (this.meta.next_cursor === null) return undefined;
    const { page: _page, ...query } = this.#query;
    return await this.#readPage({ ...query, cursor: this.meta.next_cursor });
  }
}
