import { createFakeSiteward } from "@siteward/sdk/testing";
import { type NewAccount, writtenNames } from "../engines/account-rows.ts";
import type { Service, ServiceAccount } from "./service.ts";

/** Opens the service in memory: fakes of `@siteward/sdk/testing`, one for each account. Their clock stands still until it is advanced. */
export function openFakeService(): Service {
  let timeMs = Date.now();
  return {
    name: "the fake",
    createAccount: (options) => createAccount(() => timeMs, options),
    nowMs: () => timeMs,
    advanceClock(byMs) {
      timeMs += byMs;
    },
    async [Symbol.asyncDispose]() {},
  };
}

function createAccount(nowMs: () => number, { websiteLimit }: NewAccount = {}): ServiceAccount {
  const fake = createFakeSiteward({ websiteLimit, now: new Date(nowMs()), account: writtenNames.account });
  const setClock = () => fake.clock.set(new Date(nowMs()));
  return {
    id: 1,
    baseUrl: fake.baseUrl,
    fetch(input, init) {
      setClock();
      return fake.fetch(input, init);
    },
    createApiKey({ expiresInMs, ...options } = {}) {
      setClock();
      const expiry = expiresInMs === undefined ? {} : { expiresAt: new Date(nowMs() + expiresInMs) };
      return fake.createApiKey({ ...options, ...expiry, name: writtenNames.key });
    },
    revokeApiKey: (key) => fake.revokeApiKey(key),
  };
}
