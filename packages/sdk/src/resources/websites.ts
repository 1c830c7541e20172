import { routes } from "@siteward/contract/routes";
import type { CreateWebsite, ListWebsitesQuery, UpdateWebsite, Website } from "@siteward/contract/types";
import { ApiPromise } from "../answer/api-promise.ts";
import { readNothing, readRecord } from "../answer/read-answer.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { Send } from "../request/send.ts";
import { WebsiteList } from "./website-list.ts";

/**
 * The websites of the account.
 *
 * Every method rejects with an `ApiError` where the service refuses, a `ConnectionError` or `TimeoutError` where it
 * cannot be reached, an `AbortError` where `options.signal` fires, and an `InvalidArgumentError` where an argument cannot
 * be sent.
 */
export class Websites {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists websites: await it for one page, or iterate over it for every record of every page. Nothing is sent before
   * one of the two. Needs the scope `websites:read`.
   *
   * @param query what to search for, in which order, and how many records a page has: 10, 25, 50 or 100, by default 10,
   * and 100 where all records are iterated over
   * @example
   * const page = await siteward.websites.list({ search: "example", per_page: 25 });
   * for await (const website of siteward.websites.list({ sort_by: "domain", sort: "asc" })) console.log(website.domain);
   */
  list(query: ListWebsitesQuery = {}, options?: CallOptions): WebsiteList {
    return new WebsiteList(this.#send, query, options);
  }

  /**
   * Reads one website. Needs the scope `websites:read`.
   *
   * @param id the website's id, a whole number from 1
   * @throws ApiError `not_found` where the account has no such website
   * @example
   * const { data, response } = await siteward.websites.get(7).withResponse();
   * console.log(data.domain, response.etag);
   */
  get(id: number, options?: CallOptions): ApiPromise<Website> {
    return ApiPromise.of(this.#send({ route: routes.websites.get, parameters: { id } }, options), readRecord<Website>);
  }

  /**
   * Creates a website. Needs the scope `websites:write`. It is repeated only where the service certainly did nothing, so
   * it never creates twice; after a `ConnectionError` with `requestSent` or a `TimeoutError` it may have been created.
   *
   * @throws ApiError `validation_failed` with the messages of each field in `errors`; `domain_taken` with
   * `problem.website_id`; `website_limit_reached` with `problem.limit`
   * @example
   * const website = await siteward.websites.create({ domain: "example.com", exclude_params: ["utm_*"] });
   */
  create(input: CreateWebsite, options?: CallOptions): ApiPromise<Website> {
    return ApiPromise.of(this.#send({ route: routes.websites.create, body: input }, options), readRecord<Website>);
  }

  /**
   * Changes a website. A field that is missing or undefined stays as it is; an empty list clears the list. Needs the
   * scope `websites:write`.
   *
   * @param id the website's id, a whole number from 1
   * @returns the record after the change
   * @throws ApiError `not_found`, `validation_failed`
   * @example
   * await siteward.websites.update(7, { privacy: 2, password: "correct horse battery" });
   */
  update(id: number, input: UpdateWebsite, options?: CallOptions): ApiPromise<Website> {
    const request = { route: routes.websites.update, parameters: { id }, body: input };
    return ApiPromise.of(this.#send(request, options), readRecord<Website>);
  }

  /**
   * Deletes a website for good. Needs the scope `websites:write`.
   *
   * Where an attempt failed after it was sent and its repetition finds no such website, the deletion counts as done:
   * most likely the first attempt did it, and either way the website is gone. `withResponse` then shows the 404.
   *
   * @param id the website's id, a whole number from 1
   * @throws ApiError `not_found` where the account has no such website
   * @example
   * await siteward.websites.delete(7);
   */
  delete(id: number, options?: CallOptions): ApiPromise<void> {
    return ApiPromise.of(this.#send({ route: routes.websites.delete, parameters: { id } }, options), readNothing);
  }
}
