import { routes } from "@siteward/contract/plain";
import type { ListWebsites, Website, WebsitePage } from "@siteward/contract/types";
import { createApiError } from "../answer/answer.ts";
import { ApiPromise, type Received, receive } from "../answer/api-promise.ts";
import { readPage } from "../answer/read-answer.ts";
import { addCall } from "../errors/siteward-error.ts";
import type { CallOptions } from "../options/call-options.ts";
import { check, checkOptions, plainObject, type Rule } from "../options/check-options.ts";
import type { Send } from "../request/send.ts";

/** The largest page that the service returns. */
const iterationPageSize = 100;

/** The service sends none, except of changes that are all deletions. A proxy that filters may send a few. */
const maxEmptyPages = 3;

/** Options of `toArray`. */
export interface ToArrayOptions {
  /** How many websites to collect, at least 0; `Infinity` for all. Required: an account may be large. */
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
    const request = (pageQuery: ListWebsites): Promise<Received<WebsitePage>> =>
      receive(send({ route: routes.websites.list, query: pageQuery }, options), (answer) =>
        readPage(answer, pageQuery.cursor),
      );
    super(() => request(query));
    this.#request = request;
    this.#query = query;
  }

  /**
   * Iterates over every website, from the `page` or `cursor` of the query (by default the first website) to the end of
   * the list.
   *
   * @throws ApiError, ConnectionError, TimeoutError, AbortError: of the request that failed; earlier websites were
   *   returned
   * @example
   * for await (const website of siteward.websites.list({ sort_by: "domain" })) console.log(website.domain);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Website, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /**
   * Iterates over the pages, each requested when the loop needs it. A page has 100 websites unless the query says
   * otherwise.
   *
   * @throws ApiError, ConnectionError, TimeoutError, AbortError: of the request that failed; earlier pages were
   *   returned
   * @example
   * for await (const page of siteward.websites.list().pages()) console.log(page.data.length, page.meta.total);
   */
  async *pages(): AsyncGenerator<WebsitePage, void, undefined> {
    check("query", this.#query, plainObject);
    const { page, ...others } = this.#query;
    // A page number counts pages of the size that the caller expects, so only a list without one gets larger pages.
    const per_page = others.per_page ?? (page === undefined ? iterationPageSize : undefined);
    const findFault = createFindFault();
    let query: ListWebsites = { ...this.#query, per_page };
    for (;;) {
      const { data: received, answer } = await this.#request(query);
      const fault = findFault(received);
      if (fault !== undefined) throw addCall(createApiError(answer, fault), answer.call);
      yield received;
      const { next_cursor } = received.meta;
      if (next_cursor === null) return;
      query = { ...others, per_page, cursor: next_cursor };
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
    const websites: Website[] = [];
    if (limit < 1) return websites;
    for await (const website of this) if (websites.push(website) + 1 > limit) break;
    return websites;
  }
}

/** Returns a function that says what is wrong with the next page, to find pages that would never end. */
function createFindFault(): (page: WebsitePage) => string | undefined {
  const cursors = new Set<string>();
  let emptyPages = 0;
  return ({ data, meta: { next_cursor, deleted_ids } }) => {
    if (next_cursor === null) return undefined;
    emptyPages = data.length > 0 || deleted_ids?.length ? 0 : emptyPages + 1;
    if (emptyPages > maxEmptyPages) return "empty pages";
    if (cursors.has(next_cursor)) return "pages that lead in a circle";
    cursors.add(next_cursor);
    return undefined;
  };
}
