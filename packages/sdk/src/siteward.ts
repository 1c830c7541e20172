import { toKeyPrefix } from "@siteward/contract/plain";
import { ApiPromise } from "./answer/api-promise.ts";
import { readBody } from "./answer/read-answer.ts";
import type { AnyCallOptions } from "./options/call-options.ts";
import { check, plainObject } from "./options/check-options.ts";
import {
  type ResolvedSitewardOptions,
  resolveSitewardOptions,
  type SitewardOptions,
} from "./options/siteward-options.ts";
import { type RawRequest, readRawRequest } from "./request/build-request.ts";
import { createSend, type Send } from "./request/send.ts";
import { AccountResource } from "./resources/account.ts";
import { Websites } from "./resources/websites.ts";

/**
 * A client of the Siteward service, for one API key. It keeps no connection of its own, so create one and use it in the
 * entire program, for as long as it runs. Inspecting, logging or serializing the client never shows the API key.
 *
 * @throws InvalidArgumentError if an option is unknown or not valid, or if there is no API key; the message names the
 *   option and what it accepts
 * @example
 * const siteward = new Siteward({ apiKey, baseUrl: "https://siteward.example.com" });
 * const website = await siteward.websites.create({ domain: "example.com" });
 * @example
 * const siteward = new Siteward(); // with SITEWARD_API_KEY and SITEWARD_BASE_URL in the environment
 */
export class Siteward {
  /** The URL that requests are sent to, without `/api/v1` and without a trailing slash. */
  readonly baseUrl: string;
  /** The first 12 characters of the API key, which are no secret. */
  readonly keyPrefix: string;
  /** The websites of the account. */
  readonly websites: Websites;
  /** The account that the API key belongs to. */
  readonly account: AccountResource;
  readonly #options: SitewardOptions;
  readonly #client: ResolvedSitewardOptions;
  readonly #send: Send;

  constructor(options: SitewardOptions = {}) {
    const client = resolveSitewardOptions(options);
    // A copy must not remove `/api/v1` once more.
    this.#options = { ...options, apiKey: client.apiKey, baseUrl: `${client.baseUrl}/api/v1` };
    this.#client = client;
    this.#send = createSend(client);
    this.baseUrl = client.baseUrl;
    this.keyPrefix = toKeyPrefix(client.apiKey);
    this.websites = new Websites(this.#send);
    this.account = new AccountResource(this.#send);
  }

  /**
   * Returns a new client with these options replaced. This client does not change. An option that is undefined replaces
   * nothing. Both share the line in which their requests wait, unless the API key or the base URL is another one.
   *
   * @throws InvalidArgumentError if an option is unknown or not valid
   * @example
   * const patient = siteward.withOptions({ timeoutMs: 120_000, maxRetries: 10 });
   */
  withOptions(options: SitewardOptions): Siteward {
    check("options", options, plainObject);
    const replaced = Object.entries(options).filter(([, value]) => value !== undefined);
    const copy = new Siteward({ ...this.#options, ...Object.fromEntries(replaced) });
    const { baseUrl, apiKey, line } = this.#client;
    if (copy.baseUrl === baseUrl && copy.#client.apiKey === apiKey) copy.#client.line = line;
    return copy;
  }

  /**
   * Sends a request that this version of the SDK has no method for, with the same retries, errors and hooks.
   *
   * @returns the JSON of the response as it is; undefined if the response has no body
   * @throws InvalidArgumentError if the request is not valid, for example if its path could lead to another origin
   * @throws ApiError, ConnectionError, TimeoutError, AbortError
   * @example
   * const { data } = await siteward.request<{ data: Website }>({ method: "GET", path: "/api/v1/websites/7" });
   */
  request<Body = unknown>(request: RawRequest, options?: AnyCallOptions): ApiPromise<Body> {
    // Async, so that a request that is not valid rejects as every other call does.
    const send = async () => this.#send(readRawRequest(request), options);
    return ApiPromise.of(send(), readBody<Body>);
  }
}

// The declarations name these types of the platform. A compiler that knows no platform (`lib: ["es2022"], types: []`)
// gets empty ones, and others merge them with their own. Not `RequestInit` and `Request`, which have type parameters in
// Cloudflare Workers, so that nothing can be merged with them.
declare global {
  interface AbortSignal {}
  interface Headers {}
  interface Response {}
}
