import { createFakeSiteward } from "@siteward/sdk/testing";
import type { Service } from "./service.ts";

/** Opens fakes of `@siteward/sdk/testing`, one for each account, with a clock that stands still until a test advances it. */
export function openFakeService(): Service {
  return {
    name: "the fake",
    createAccount({ websiteLimit = null } = {}) {
      const fake = createFakeSiteward({
        websiteLimit,
        now: new Date(),
        // As the operator's commands create them for the server.
        account: { name: "Test", email: "test@example.com" },
      });
      const nowMs = () => fake.clock.now().getTime();
      return {
        id: 1,
        baseUrl: fake.baseUrl,
        fetch: fake.fetch,
        createApiKey: ({ expiresInMs, ...options } = {}) =>
          fake.createApiKey({
            ...options,
            name: "test",
            ...(expiresInMs === undefined ? {} : { expiresAt: new Date(nowMs() + expiresInMs) }),
          }),
        revokeApiKey: (key) => fake.revokeApiKey(key),
        createWebsites: async (_, domains) => {
          for (const domain of domains) fake.createWebsite({ domain });
        },
        nowMs,
        advanceClock: (byMs) => fake.clock.advance(byMs),
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}
