import { Siteward } from "@siteward/sdk";
import type { FakeSiteward } from "@siteward/sdk/testing";

const userAgent = "other-program";

/** Returns a client for another program, which changes websites of a fake. Its requests are not among those of the fake. */
export function createOtherProgram(fake: FakeSiteward): Siteward {
  return new Siteward({
    ...fake.clientOptions,
    userAgent,
    async fetch(url, init) {
      const response = await fake.fetch(url, init);
      const index = fake.requests.findIndex(({ headers }) => headers["user-agent"]?.startsWith(userAgent));
      fake.requests.splice(index, 1);
      return response;
    },
  });
}
