import type { CreateWebsite, UpdateWebsite, Website } from "@siteward/contract/types";
import type { FakeFetch } from "./fetch/fake-fetch.ts";
import type { FakeRequest } from "./fetch/fake-request.ts";
import type { Delay, Failure } from "./injected/failure.ts";
import type { FakeApiKeyOptions } from "./state/api-key-options.ts";
import type { FakeClock } from "./state/clock.ts";

/** How a fake begins. */
export interface FakeSitewardOptions {
  /**
   * The websites that exist, in order of ID, each with the fields of a create.
   * @default none
   */
  readonly websites?: readonly CreateWebsite[] | undefined;
  /**
   * The largest number of websites of the account; null for no limit.
   * @default null
   */
  readonly websiteLimit?: number | null | undefined;
  /** The name and the e-mail address of the account. */
  readonly account?: { readonly name?: string | undefined; readonly email?: string | undefined } | undefined;
  /**
   * Requests per minute of each API key; 0 for no limit. The real service has a limit, so test yours with one.
   * @default 0
   */
  readonly rateLimit?: number | undefined;
  /**
   * The time at which the clock of the fake stands. Pass one to get the same times in each run. Without it, the clock follows
   * the fake timers of a test runner, so that a limit of requests ends while retries wait.
   * @default the clock of the runtime
   */
  readonly now?: Date | undefined;
  /**
   * The URL that the fake answers, without a path.
   * @default "https://siteward.test"
   */
  readonly baseUrl?: string | undefined;
}

/** An in-memory Siteward service with one account. */
export interface FakeSiteward {
  /** Answers requests as the service does. */
  readonly fetch: FakeFetch;
  /** The URL of the fake. */
  readonly baseUrl: string;
  /** An API key with all scopes. */
  readonly apiKey: string;
  /** What a client of the fake needs: `new Siteward(fake.clientOptions)`. */
  readonly clientOptions: { readonly fetch: FakeFetch; readonly baseUrl: string; readonly apiKey: string };
  /** The websites as they are now, in order of ID. Changing these copies changes nothing in the fake. */
  readonly websites: readonly Website[];
  /** The last 10,000 requests, in the order in which they arrived. */
  readonly requests: readonly FakeRequest[];
  /**
   * The failures, and then the delays, that no request has met yet, with the number of requests that is left as `times`. If
   * it is not empty at the end of a test, a `path` or `method` does not match, or the program sent fewer requests. With
   * `times: Infinity` they are here only until the first request.
   *
   * @example
   * if (fake.pending.length > 0) throw new Error(`not met: ${JSON.stringify(fake.pending)}`);
   */
  readonly pending: readonly (Failure | Delay)[];
  /** The clock of the fake: times of records, limits of requests, expiry of keys, and idempotency keys follow it. */
  readonly clock: FakeClock;
  /**
   * Creates a website without a request.
   *
   * @throws TypeError if the service would refuse it
   * @example
   * const { id } = fake.createWebsite({ domain: "example.com" });
   */
  createWebsite(website: CreateWebsite): Website;
  /**
   * Updates a website without a request, as another program would. Its entity tag changes, so a change of your program with
   * `ifMatch` is refused.
   *
   * @throws TypeError if no website has the ID, or the service would refuse the changes
   * @example
   * fake.updateWebsite(1, { privacy: 1 });
   */
  updateWebsite(id: number, changes: UpdateWebsite): Website;
  /**
   * Deletes a website without a request, as another program would.
   *
   * @throws TypeError if no website has the ID
   * @example
   * fake.deleteWebsite(1);
   */
  deleteWebsite(id: number): void;
  /**
   * Creates an API key.
   *
   * @returns the text of the key
   * @throws TypeError if an option is not valid
   * @example
   * const apiKey = fake.createApiKey({ scopes: ["websites:read"] });
   * const reader = new Siteward({ ...fake.clientOptions, apiKey });
   */
  createApiKey(options?: FakeApiKeyOptions): string;
  /**
   * Revokes an API key, so that requests with it get `unauthenticated`.
   *
   * @throws TypeError if the fake has no such key
   * @example
   * fake.revokeApiKey(fake.apiKey);
   */
  revokeApiKey(apiKey: string): void;
  /**
   * Lets the next request fail. Several calls apply to one request after another, in order.
   *
   * @throws TypeError if the failure is not valid
   * @example
   * fake.failNext({ code: "unavailable", times: 2 });
   * @example
   * // The website is created, but its response is lost.
   * fake.failNext({ networkError: true, when: "after", method: "POST" });
   */
  failNext(failure: Failure): void;
  /**
   * Lets the next request wait. A request can be delayed and fail.
   *
   * @throws TypeError if the delay is not valid
   * @example
   * fake.delayNext({ delayMs: Infinity }); // until the client gives up
   */
  delayNext(delay: Delay): void;
}
