import type { WebsitePage as Body, Website, WebsitePageLinks, WebsitePageMeta } from "@siteward/contract/types";

/** A page as the service sends it. */
export type WebsitePageBody = Body;

/**
 * One page of a list of websites. `nextPage` requests the page after it. `JSON.stringify` returns the page as the
 * service sent it.
 *
 * @example
 * const page = await siteward.websites.list({ search: "example", per_page: 25 });
 * console.log(`${page.data.length} of ${page.meta.total}`);
 */
export class WebsitePage {
  /** The websites on this page, in the order that the query asks for. */
  readonly data: Website[];
  /** URLs of the first, the previous and the next page. */
  readonly links: WebsitePageLinks;
  /** The size and the number of the page, the number of matches, and the cursors of its neighbors. */
  readonly meta: WebsitePageMeta;
  readonly #readNext: (cursor: string) => Promise<WebsitePage>;

  /** @internal */
  constructor(body: Body, readNext: (cursor: string) => Promise<WebsitePage>) {
    this.data = body.data;
    this.links = body.links;
    this.meta = body.meta;
    this.#readNext = readNext;
  }

  /**
   * Checks whether there is a page after this one. Sends no request.
   *
   * @example
   * const page = await siteward.websites.list();
   * if (page.hasNextPage()) console.log(`${page.meta.total} websites, on several pages`);
   */
  hasNextPage(): boolean {
    return this.meta.next_cursor !== null;
  }

  /**
   * Requests the page after this one, with the same query and call options.
   *
   * @returns the page, or undefined if this is the last one
   * @throws ApiError, ConnectionError, TimeoutError, AbortError
   * @example
   * const first = await siteward.websites.list({ per_page: 50 });
   * const second = await first.nextPage();
   * console.log(second?.data.length ?? 0);
   */
  async nextPage(): Promise<WebsitePage | undefined> {
    const { next_cursor } = this.meta;
    return next_cursor === null ? undefined : await this.#readNext(next_cursor);
  }
}
