import { endpoints } from "@siteward/contract/endpoints";
import type { ListWebsites, Website } from "@siteward/contract/types";
import { ApiPromise, type Received, receive } from "../answer/api-promise.ts";
import { readPageBody } from "../answer/read-answer.ts";
import type { CallOptions } from "../options/call-options.ts";
import { check, checkOptions, plainObject, type Rule } from "../options/check-options.ts";
import type { Send } from "../request/send.ts";
import { WebsitePage, type WebsitePageBody } from "./website-page.ts";

/** The largest page that the service returns. */
const iterationPageSize = 100;

/** Options of `toArray`. */
export interface ToArrayOptions {
  /**
   * The maximum number of websites to collect, at least 0; `Infinity` for all. Required, because an account may be
   * large.
   */
  readonly limit: number;
}

const toArrayRules = {
  limit: [(value) => typeof value === "number" && value >= 0, "be a number of at least 0, or Infinity", true],
} satisfies Record<keyof ToArrayOptions, Rule>;

/**
 * A list of websites that is requested when you use it. Await it to request one page, once. Iterate over it to request
 * page after page, until the loop ends. The pages follow a cursor, so no website is repeated or skipped while
 * others write.
 *
 * @example
 * const page = await siteward.websites.list({ per_page: 25 }); // one request
 * for await (const website of siteward.websites.list()) console.log(website.domain); // one request for 100 websites
 */
export class WebsiteList extends ApiPromise<WebsitePage> implements AsyncIterable<Website> {
  readonly #request: (query: ListWebsites) => Promise<Received<WebsitePage>>;
  readonly #query: ListWebsites;

  /** @internal */
  constructor(send: Send, query: ListWebsites, options: CallOptions | undefined) {
    const request = (pageQuery: ListWebsites, emptyPages = 0): Promise<Received<WebsitePage>> =>
      receive(send({ route: endpoints.websites.list, query: pageQuery }, options), (answer) => {
        const { page: _page, ...others } = pageQuery;
        const body = readPageBody<WebsitePageBody>(answer, pageQuery.cursor, emptyPages);
        return new WebsitePage(body, async (cursor) => {
          const { data } = await request({ ...others, cursor }, body.data[0] ? 0 : emptyPages + 1);
          return data;
        });
      });
    super(() => request(query));
    this.#request = request;
    this.#query = query;
  }

  /**
   * Iterates over every website, from the `page` or `cursor` of the query (by default the first website) to the end of
   * the list.
   *
   * @throws ApiError, ConnectionError, TimeoutError, AbortError: of the request that failed; earlier websites were returned
   * @example
   * for await (const website of siteward.websites.list({ sort_by: "domain" })) console.log(website.domain);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Website, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /**
   * Iterates over the pages, each requested when the loop needs it. A page has 100 websites unless the query says otherwise.
   *
   * @throws ApiError, ConnectionError, TimeoutError, AbortError: of the request that failed; earlier pages were returned
   * @example
   * for await (const page of siteward.websites.list().pages()) console.log(page.data.length, page.meta.total);
   */
  async *pages(): AsyncGenerator<WebsitePage, void, undefined> {
    check("query", this.#query, plainObject);
    // A page number counts pages of the size that the caller expects, so only a list without one gets larger pages.
    const defaultPageSize = this.#query.page === undefined ? iterationPageSize : undefined;
    const query = { ...this.#query, per_page: this.#query.per_page ?? defaultPageSize };
    let page: WebsitePage | undefined = (await this.#request(query)).data;
    while (page !== undefined) {
      yield page;
      page = await page.nextPage();
    }
  }

  /**
   * Collects the websites into an array. Requests only as many pages as the limit needs.
   *
   * @throws InvalidArgumentError if `limit` is missing, negative or not a number
   * @example
   * const newest = await siteward.websites.list().toArray({ limit: 200 });
   */
  async toArray(options: ToArrayOptions): Promise<Website[]> {
    // A limit that is missing is not valid either.
    checkOptions({ ...options, limit: options?.limit }, toArrayRules);
    const { limit } = options;
    const maxWebsites = Math.floor(limit);
    const websites: Website[] = [];
    if (maxWebsites === 0) return websites;
    for await (const website of this) {
      if (websites.push(website) === maxWebsites) break;
    }
    return websites;
  }
}
