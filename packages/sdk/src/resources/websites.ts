import { endpoints } from "@siteward/contract/endpoints";
import type { CreateWebsite, ListWebsitesQuery, UpdateWebsite, Website } from "@siteward/contract/types";
import { ApiPromise } from "../answer/api-promise.ts";
import { readNothing, readRecord } from "../answer/read-answer.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options/call-options.ts";
import type { Send } from "../request/send.ts";
import { WebsiteList } from "./website-list.ts";

/**
 * The websites of the account.
 *
 * Every method rejects with an `ApiError` if the service answers with an error, a `ConnectionError` if it cannot be
 * reached, a `TimeoutError` if it does not respond in time, an `AbortError` if `options.signal` is aborted, and an
 * `InvalidArgumentError` if an argument is not valid.
 */
export class Websites {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists websites. Await the list to get one page, or iterate over it to get every website on every page. No request
   * is sent before you do one of the two. Requires the scope `websites:read`.
   *
   * @param query the search term, the sort order, and the page size: 10, 25, 50 or 100. The default page size is 10, or
   * 100 if you iterate over the list.
   * @example
   * const page = await siteward.websites.list({ search: "example", per_page: 25 });
   * for await (const website of siteward.websites.list({ sort_by: "domain", sort: "asc" })) console.log(website.domain);
   */
  list(query: ListWebsitesQuery = {}, options?: CallOptions): WebsiteList {
    return new WebsiteList(this.#send, query, options);
  }

  /**
   * Returns one website. Requires the scope `websites:read`.
   *
   * @param id the website's ID, a whole number of at least 1
   * @throws ApiError `not_found` if the account has no website with this ID
   * @example
   * const { data, response } = await siteward.websites.get(7).withResponse();
   * console.log(data.domain, response.etag);
   */
  get(id: number, options?: CallOptions): ApiPromise<Website> {
    return ApiPromise.of(
      this.#send({ route: endpoints.websites.get, parameters: { id } }, options),
      readRecord<Website>,
    );
  }

  /**
   * Creates a website. Requires the scope `websites:write`.
   *
   * Each attempt sends the same idempotency key, so retries never create the website twice. After a `TimeoutError`, or a
   * `ConnectionError` whose `requestSent` is true, the website may have been created. If you passed an `idempotencyKey`,
   * you can repeat the call to get the result.
   *
   * @throws ApiError `validation_failed` with the messages of each field in `errors`; `domain_taken` with
   * `problem.website_id`; `website_limit_reached` with `problem.limit`; `idempotency_key_reused` if the key was first sent
   * with different fields
   * @example
   * const website = await siteward.websites.create({ domain: "example.com", exclude_params: ["utm_*"] });
   */
  create(input: CreateWebsite, options?: CreateOptions): ApiPromise<Website> {
    return ApiPromise.of(this.#send({ route: endpoints.websites.create, body: input }, options), readRecord<Website>);
  }

  /**
   * Updates a website. A field that is missing or undefined keeps its value; an empty array clears the list. Requires
   * the scope `websites:write`.
   *
   * @param id the website's ID, a whole number of at least 1
   * @param options `ifMatch` updates the website only if nobody changed it since you read it
   * @returns the updated website
   * @throws ApiError `not_found`, `validation_failed`; `precondition_failed` if `ifMatch` is not the current entity tag
   * @example
   * await siteward.websites.update(7, { privacy: 2, password: "correct horse battery" });
   * @example
   * const { data, response } = await siteward.websites.get(7).withResponse();
   * const exclude_ips = [...data.exclude_ips, "203.0.113.7"];
   * await siteward.websites.update(7, { exclude_ips }, { ifMatch: response.etag });
   */
  update(id: number, input: UpdateWebsite, options?: ChangeOptions): ApiPromise<Website> {
    const request = { route: endpoints.websites.update, parameters: { id }, body: input };
    return ApiPromise.of(this.#send(request, options), readRecord<Website>);
  }

  /**
   * Deletes a website permanently. Requires the scope `websites:write`.
   *
   * If an attempt fails after it was sent, and its retry finds no such website, the website counts as deleted: most
   * likely the first attempt deleted it, and either way it is gone. `withResponse` then shows the 404.
   *
   * @param id the website's ID, a whole number of at least 1
   * @param options `ifMatch` deletes the website only if nobody changed it since you read it
   * @throws ApiError `not_found` if the account has no website with this ID; `precondition_failed` if `ifMatch` is not the
   * current entity tag
   * @example
   * await siteward.websites.delete(7);
   */
  delete(id: number, options?: ChangeOptions): ApiPromise<void> {
    return ApiPromise.of(this.#send({ route: endpoints.websites.delete, parameters: { id } }, options), readNothing);
  }
}
