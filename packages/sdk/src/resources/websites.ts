import { routes } from "@siteward/contract/plain";
import type { CreateWebsite, ListWebsites, UpdateWebsite, Website } from "@siteward/contract/types";
import type { Answer } from "../answer/answer.ts";
import { ApiPromise } from "../answer/api-promise.ts";
import { readNothing, readRecord } from "../answer/read-answer.ts";
import { isApiError } from "../errors/api-error.ts";
import { InvalidArgumentError } from "../errors/siteward-error.ts";
import { type CallOptions, type ChangeOptions, type CreateOptions, readRules } from "../options/call-options.ts";
import { checkOptions } from "../options/check-options.ts";
import type { Send } from "../request/send.ts";
import { cannotChange, type SameWebsite, toFields, toStoredDomain } from "./website-input.ts";
import { WebsiteList } from "./website-list.ts";

/**
 * The websites of the account.
 *
 * Every method rejects with an `ApiError` if the service answers with an error, a `ConnectionError` if it cannot be
 * reached, a `TimeoutError` if it does not respond in time, an `AbortError` if `options.signal` is aborted, and an
 * `InvalidArgumentError` if an argument is not valid.
 * @example
 * const all = await siteward.websites.list().toArray({ limit: Infinity });
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
   * @param query the search term, the order, and the page size: 10 by default, or 100 if you iterate over the list
   * @throws ApiError `validation_failed`, when you use the list, if the query is not valid
   * @example
   * const page = await siteward.websites.list({ search: "example", per_page: 25 });
   * for await (const website of siteward.websites.list({ sort_by: "domain", sort: "asc" }))
   *   console.log(website.domain);
   */
  list(query: ListWebsites = {}, options?: CallOptions): WebsiteList {
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
    const request = { route: routes.websites.get, parameters: { id } };
    return ApiPromise.of(this.#send(request, options), readRecord<Website>);
  }

  /**
   * Returns the website with this domain. Requires the scope `websites:read`. It is one request, and one more for each
   * 100 websites whose domains contain this one, such as its subdomains.
   *
   * @param domain in any form that `create` accepts, such as `Bücher.example`
   * @returns the website, or undefined if the account has none with this domain
   * @throws InvalidArgumentError if it is no host name, such as a URL. `toCanonicalDomain` says why a name is refused.
   * @example
   * const website = await siteward.websites.getByDomain("example.com");
   */
  async getByDomain(domain: string, options?: CallOptions): Promise<Website | undefined> {
    const search = toStoredDomain(domain);
    if (search === undefined) throw new InvalidArgumentError('domain must be a host name, such as "example.com".');
    // The search also finds domains that only contain this one. They are sorted, so the first that is not less decides.
    for await (const website of this.list({ search, sort_by: "domain", sort: "asc" }, options)) {
      if (website.domain >= search) return website.domain === search ? website : undefined;
    }
    return undefined;
  }

  /**
   * Creates a website. Requires the scope `websites:write`. You can pass a record to copy its settings: its read-only
   * fields, except for `domain`, are not sent.
   *
   * Each attempt sends the same idempotency key, so retries never create the website twice. After a `TimeoutError`, or
   * a `ConnectionError` whose `requestSent` is true, the website may have been created. If you passed an
   * `idempotencyKey`, you can repeat the call to get the result.
   *
   * @throws ApiError `validation_failed` with `errors`; `domain_taken` with `problem.website_id`;
   *   `website_limit_reached` with `problem.limit`; `idempotency_key_reused` if the key was sent with other fields
   * @example
   * const website = await siteward.websites.create({ domain: "example.com", exclude_params: ["utm_*"] });
   */
  create(input: CreateWebsite, options?: CreateOptions): ApiPromise<Website> {
    return ApiPromise.of(this.#create(input, options), readRecord<Website>);
  }

  /**
   * Creates a website, or updates the one that has the domain. Safe if several programs do it at once: none of them
   * fails because of another, and the fields that the last one passed are stored. Requires the scope `websites:write`.
   *
   * A field that is missing or undefined has its default in a new website, and keeps its value in an existing one. The
   * fields must be valid for a new website, whether or not there is one. So `privacy` 2 always needs a password.
   *
   * It is one request if the website is new, and two if it exists: a create, which the service refuses, and the update.
   * If most of many websites exist, list them first, 100 for each request, and upsert only those that differ.
   *
   * @returns the website. In `withResponse()`, `response.status` is 201 if it was created, and 200 if it was updated.
   * @throws ApiError `validation_failed`, `website_limit_reached`; `not_found` or `domain_taken` if other programs kept
   *   deleting and creating the website between the requests of this call
   * @example
   * await siteward.websites.upsert({ domain: "example.com", email: EmailReports.Enabled });
   */
  upsert(input: CreateWebsite, options?: CallOptions): ApiPromise<Website> {
    return ApiPromise.of(this.#upsert(input, options), readRecord<Website>);
  }

  /**
   * Updates a website. A field that is missing or undefined keeps its value; null or an empty array clears a list.
   * Requires the scope `websites:write`.
   *
   * You can change a record and pass it back: its read-only fields are not sent. An `id` or `domain` must be that of
   * the website, because neither can be changed. To compare a `domain`, the website is read first, which is one more
   * request and requires the scope `websites:read`.
   *
   * @param id the website's ID, a whole number of at least 1
   * @param options `ifMatch` updates the website only if nobody changed it since you read it
   * @returns the updated website
   * @throws ApiError `not_found`, `validation_failed`; `precondition_failed` if `ifMatch` is not the current entity tag
   * @throws InvalidArgumentError if `id` or `domain` is that of another website; nothing is changed
   * @example
   * await siteward.websites.update(7, { privacy: Privacy.Password, password: "correct horse battery" });
   * @example
   * const { data, response } = await siteward.websites.get(7).withResponse();
   * const exclude_ips = [...data.exclude_ips, "203.0.113.7"];
   * await siteward.websites.update(7, { ...data, exclude_ips }, { ifMatch: response.etag });
   */
  update<Domain extends string>(
    id: number,
    input: UpdateWebsite & SameWebsite<Domain>,
    options?: ChangeOptions,
  ): ApiPromise<Website> {
    return ApiPromise.of(this.#updateSame(id, input, options), readRecord<Website>);
  }

  /**
   * Deletes a website permanently. Requires the scope `websites:write`.
   *
   * If an attempt fails after it was sent, and its retry finds no such website, the website counts as deleted: most
   * likely the first attempt deleted it, and either way it is gone. `withResponse` then shows the 404.
   *
   * @param id the website's ID, a whole number of at least 1
   * @param options `ifMatch` deletes the website only if nobody changed it since you read it
   * @throws ApiError `not_found`; `precondition_failed` if `ifMatch` is not the current entity tag
   * @example
   * await siteward.websites.delete(7);
   */
  delete(id: number, options?: ChangeOptions): ApiPromise<void> {
    return ApiPromise.of(this.#send({ route: routes.websites.delete, parameters: { id } }, options), readNothing);
  }

  async #create(input: CreateWebsite, options?: CreateOptions): Promise<Answer> {
    const fields = toFields(input);
    return await this.#send({ route: routes.websites.create, body: { domain: input.domain, ...fields } }, options);
  }

  #update(id: number, input: object, options?: ChangeOptions): Promise<Answer> {
    return this.#send({ route: routes.websites.update, parameters: { id }, body: toFields(input) }, options);
  }

  async #updateSame(id: number, input: Partial<SameWebsite<string>>, options?: ChangeOptions): Promise<Answer> {
    // An input that is not an object has neither, and is refused by the update.
    const { id: sentId = id, domain }: typeof input = Object(input);
    if (sentId !== id) throw cannotChange("id", id);
    if (domain !== undefined) {
      const { ifMatch: _onlyForTheChange, ...readOptions } = options ?? {};
      const website = await this.get(id, readOptions);
      if (domain !== website.domain && toStoredDomain(domain) !== website.domain) {
        throw cannotChange("domain", website.domain);
      }
    }
    return this.#update(id, input, options);
  }

  async #upsert(input: CreateWebsite, options: CallOptions = {}): Promise<Answer> {
    // One key cannot be that of several creates.
    checkOptions(options, readRules);
    // Others may delete the website before the update: beside 5 upserts and 2 deletes in a loop, 20 were not enough.
    for (let id: number | undefined, requestsLeft = 99; ; requestsLeft -= 1) {
      try {
        return await (id === undefined ? this.#create(input, options) : this.#update(id, input, options));
      } catch (error) {
        const isOutdated = isApiError(error, id === undefined ? "domain_taken" : "not_found");
        const found = isOutdated ? error.problem?.website_id : id;
        // Also if the service does not say which website has the domain: every further create would fail too.
        if (requestsLeft === 0 || found === id) throw error;
        id = found;
      }
    }
  }
}
