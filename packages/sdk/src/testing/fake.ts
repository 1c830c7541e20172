import { createWebsiteBody } from "@siteward/contract";
import type { CreateWebsite, Website } from "@siteward/contract/types";
import { collectFieldErrors, MemoryStorage, RateLimiter, RunningRequests, validationFailed } from "@siteward/service";
import { ApiKeys, type FakeApiKeyOptions } from "./api-keys.ts";
import { createClock, type FakeClock } from "./clock.ts";
import { createFetch, type FakeFetch, type FakeRequest } from "./fetch.ts";
import { type Failure, Injections } from "./injections.ts";

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
   * The time at which the clock of the fake stands. Without it, the clock follows the fake timers of a test runner.
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
  /** What a client of the fake needs: `new Siteward(fake.clientOptions)`. A second one is another program. */
  readonly clientOptions: { readonly fetch: FakeFetch; readonly baseUrl: string; readonly apiKey: string };
  /** The websites as they are now, in order of ID. Changing these copies changes nothing in the fake. */
  readonly websites: readonly Website[];
  /** The last 10,000 requests, in order. To see only later ones, empty it: `fake.requests.length = 0`. */
  readonly requests: FakeRequest[];
  /**
   * The failures that no request has met yet, with the number of requests that is left as `times`. If it is not empty
   * at the end of a test, a `path` or `method` does not match, or the program sent fewer requests. With `times:
   * Infinity` they are here only until the first request.
   *
   * @example
   * if (fake.pending.length > 0) throw new Error(`not met: ${JSON.stringify(fake.pending)}`);
   */
  readonly pending: readonly Failure[];
  /** The clock of the fake: times of records, limits of requests, expiry of keys, and idempotency keys follow it. */
  readonly clock: FakeClock;
  /**
   * Creates an API key.
   *
   * @returns the text of the key
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
   * Lets the next request fail, or wait. Several calls apply to one request after another, in order.
   *
   * @example
   * fake.failNext({ code: "unavailable", times: 2 });
   * @example
   * // The website is created, but its response is lost.
   * fake.failNext({ networkError: true, when: "after", method: "POST" });
   * @example
   * fake.failNext({ delayMs: Infinity }); // no response until the client gives up
   */
  failNext(failure: Failure): void;
}

/**
 * Creates an in-memory Siteward service for tests. It answers as the real one does: the same validation and messages,
 * conflicts, pages, scopes, entity tags, idempotency keys and limits. It needs no server, no network and no clean-up.
 * Create one for each test.
 *
 * @throws TypeError if `baseUrl` is not a URL; an error with the `code` of the service if it would refuse a website
 * @example
 * const fake = createFakeSiteward({ websites: [{ domain: "example.com" }] });
 * const siteward = new Siteward(fake.clientOptions);
 * await siteward.websites.update(1, { privacy: 1 });
 * fake.websites[0]?.privacy; // 1
 */
export function createFakeSiteward(options: FakeSitewardOptions = {}): FakeSiteward {
  const { websites = [], websiteLimit = null, account = {}, rateLimit = 0, now } = options;
  const clock = createClock();
  if (now !== undefined) clock.set(now);
  const nowMs = () => clock.now().getTime();
  const { name = "Test account", email = "test@siteward.test" } = account;
  const storage = new MemoryStorage({ name, email, websiteLimit }, nowMs);
  for (const website of websites) addWebsite(storage, website);
  const apiKeys = new ApiKeys();
  const createApiKey = (key: FakeApiKeyOptions = {}) => apiKeys.create(key, clock.now());
  const injections = new Injections();
  const requests: FakeRequest[] = [];
  const baseUrl = new URL(options.baseUrl ?? "https://siteward.test").origin;
  const service = { storage, passwords: { hash: async () => storedHash } };
  const limits = { running: new RunningRequests(), rateLimiter: new RateLimiter(nowMs), rateLimit };
  const fetch = createFetch({ baseUrl, clock, service, apiKeys, ...limits }, injections, requests);
  const clientOptions = { fetch, baseUrl, apiKey: createApiKey() };
  return {
    ...clientOptions,
    clientOptions,
    clock,
    requests,
    get websites() {
      return structuredClone(storage.all());
    },
    get pending() {
      return injections.pending;
    },
    createApiKey,
    revokeApiKey: (apiKey) => apiKeys.revoke(apiKey),
    failNext: (failure) => injections.add(failure),
  };
}

/** The fake stores only whether there is a password. */
const storedHash = "a hash";

/** Creates a website by the rules of a request, before there is one. */
function addWebsite(storage: MemoryStorage, website: CreateWebsite): void {
  const { exclude_params, exclude_ips, ...others } = website;
  // A client sends null as the empty list.
  const sent = { ...others, exclude_params: exclude_params ?? [], exclude_ips: exclude_ips ?? [] };
  const { data, error } = createWebsiteBody.safeParse(sent);
  if (data === undefined) throw validationFailed(collectFieldErrors(error.issues));
  const { password, ...fields } = data;
  storage.create({ ...fields, passwordHash: password === undefined ? null : storedHash });
}
