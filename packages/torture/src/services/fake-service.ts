import { createFakeSiteward, type FakeSiteward } from "@siteward/sdk/testing";
import { writtenNames } from "../engines/insert-accounts.ts";
import type { NewServiceAccount, Service } from "./service.ts";

/** Opens the service in memory: fakes of `@siteward/sdk/testing`, one for each account. Their clock stands still until it is advanced. */
export function openFakeService(): Service {
  let timeMs = Date.now();
  let fakes: readonly FakeSiteward[] = [];
  const createFake = ({ websiteLimit }: NewServiceAccount) =>
    createFakeSiteward({ websiteLimit, now: new Date(timeMs), account: writtenNames.account });
  return {
    name: "the fake",
    async createAccounts(accounts) {
      const created = accounts.map((account) => ({ fake: createFake(account), keys: account.keys }));
      fakes = created.map(({ fake }) => fake);
      return created.map(({ fake, keys }) => ({
        baseUrl: fake.baseUrl,
        fetch: fake.fetch,
        apiKeys: keys.map(({ expiresInMs, ...options }) =>
          fake.createApiKey({
            ...options,
            name: writtenNames.key,
            ...(expiresInMs === undefined ? {} : { expiresAt: new Date(timeMs + expiresInMs) }),
          }),
        ),
      }));
    },
    nowMs: () => timeMs,
    advanceClock(byMs) {
      timeMs += byMs;
      for (const fake of fakes) fake.clock.advance(byMs);
    },
    async [Symbol.asyncDispose]() {},
  };
}
