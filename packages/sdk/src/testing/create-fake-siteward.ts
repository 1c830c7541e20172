import { MemoryStorage, RateLimiter, RunningRequests } from "@siteward/service";
import type { FakeSiteward, FakeSitewardOptions } from "./fake-siteward.ts";
import { createFetch } from "./fetch/create-fetch.ts";
import { RecordedRequests } from "./fetch/recorded-requests.ts";
import type { Delay, Failure } from "./injected/failure.ts";
import { checkFailure } from "./injected/failures.ts";
import { Injections } from "./injected/injections.ts";
import { checkDelay } from "./injected/wait.ts";
import { setUpChange, setUpDeletion, setUpWebsite, storedHash } from "./service/set-up-websites.ts";
import { ApiKeys, checkRateLimit } from "./state/api-keys.ts";
import { checkKnown } from "./state/check-known.ts";
import { createClock, isValidDate } from "./state/clock.ts";
import type { FakeState } from "./state/fake-state.ts";
import { setUpError } from "./state/set-up-error.ts";

/**
 * Creates an in-memory Siteward service for tests. It answers as the real one does: the same validation and messages,
 * conflicts, pages, scopes, entity tags, idempotency keys and limits. It needs no server, no network and no clean-up. Create
 * one for each test.
 *
 * @throws TypeError if an option is not valid, or a website is one that the service would refuse
 * @example
 * const fake = createFakeSiteward({ websites: [{ domain: "example.com" }] });
 * const siteward = new Siteward(fake.clientOptions);
 * await siteward.websites.update(1, { privacy: 1 });
 * fake.websites[0]?.privacy; // 1
 */
export function createFakeSiteward(options: FakeSitewardOptions = {}): FakeSiteward {
  checkKnown(options, ["websites", "websiteLimit", "account", "rateLimit", "now", "baseUrl"], functionName);
  const state = createState(options);
  const requests = new RecordedRequests();
  const failures = new Injections<Failure>("failNext");
  const delays = new Injections<Delay>("delayNext");
  const createApiKey: FakeSiteward["createApiKey"] = (key = {}) => {
    checkKnown(key, ["name", "scopes", "expiresAt", "rateLimit"], "createApiKey");
    return state.apiKeys.create(key, state.clock.now());
  };
  for (const [index, website] of (options.websites ?? []).entries()) {
    setUpWebsite(state, website, { functionName, name: `websites[${index}]` });
  }
  const fakeFetch = createFetch({ state, requests, failures, delays });
  const clientOptions = { fetch: fakeFetch, baseUrl: state.baseUrl, apiKey: createApiKey() };
  return {
    ...clientOptions,
    clientOptions,
    clock: state.clock,
    get websites() {
      return structuredClone(state.account.websites.all());
    },
    get requests() {
      return requests.all;
    },
    get pending() {
      return [...failures.pending, ...delays.pending];
    },
    createWebsite: (website) =>
      structuredClone(setUpWebsite(state, website, { functionName: "createWebsite", name: "the website" })),
    updateWebsite: (id, changes) => structuredClone(setUpChange(state, id, changes)),
    deleteWebsite: (id) => setUpDeletion(state, id),
    createApiKey,
    revokeApiKey: (apiKey) => state.apiKeys.revoke(apiKey),
    failNext(failure) {
      checkFailure(failure);
      failures.add(failure);
    },
    delayNext(delay) {
      checkKnown(delay, ["delayMs", "times", "method", "path", "when"], "delayNext", "the delay");
      checkDelay(delay.delayMs);
      delays.add(delay);
    },
  };
}

const functionName = "createFakeSiteward";

function createState({
  websites = [],
  websiteLimit = null,
  account = {},
  rateLimit = 0,
  now,
  baseUrl,
}: FakeSitewardOptions): FakeState {
  checkKnown(account, ["name", "email"], functionName, "account");
  checkRateLimit(rateLimit, functionName);
  if (!Array.isArray(websites)) throw refuse("websites must be an array.");
  if (websiteLimit !== null && !(Number.isSafeInteger(websiteLimit) && websiteLimit >= 0)) {
    throw refuse("websiteLimit must be a whole number of at least 0, or null.");
  }
  // Reads the global each time, because fake timers replace it, perhaps after the fake was created.
  const clock = createClock(() => Date.now());
  if (now !== undefined) {
    if (!isValidDate(now)) throw refuse('now must be a valid Date, such as new Date("2026-01-01").');
    clock.set(now);
  }
  const storage = new MemoryStorage(() => clock.now().getTime());
  const { name = "Test account", email = "test@siteward.test" } = account;
  return {
    baseUrl: readBaseUrl(baseUrl ?? "https://siteward.test"),
    clock,
    service: { storage, passwords: { hash: async () => storedHash } },
    account: storage.createAccount({ name, email, websiteLimit }),
    apiKeys: new ApiKeys(),
    running: new RunningRequests(),
    rateLimiter: new RateLimiter(() => clock.now().getTime()),
    rateLimit,
  };
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw refuse('baseUrl must be an http or https URL without a path, such as "https://siteward.test".');
  }
  return url.origin;
}

function refuse(message: string): TypeError {
  return setUpError(functionName, message);
}
