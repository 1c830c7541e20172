import { isApiError, Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

const limit = 600;
const maxConcurrent = 32;

test.concurrent.each(["1", "2"])(
  "640 creates at once all end at a limit of 600 a minute, with %s workers, and few of them are refused on the way",
  { timeout: 60_000 },
  async (workers) => {
    await using server = await startBuiltServer({ SITEWARD_RATE_LIMIT: String(limit), SITEWARD_WORKERS: workers });
    const { apiKey } = await server.createAccount();
    let refusals = 0;
    const siteward = new Siteward({
      apiKey,
      baseUrl: server.url,
      maxConcurrent,
      onRetry: ({ error }) => {
        if (isApiError(error, "rate_limited")) refusals += 1;
      },
    });
    const domains = Array.from({ length: limit + 40 }, (_, index) => `site-${index}.example`);

    const created = await Promise.all(domains.map((domain) => siteward.websites.create({ domain })));

    expect(created.map(({ domain }) => domain)).toEqual(domains);
    expect(new Set(created.map(({ id }) => id)).size).toBe(domains.length);
    // The bucket is empty once. Two times, because on a busy machine a request can arrive long after it was sent.
    expect(refusals).toBeLessThanOrEqual(2 * maxConcurrent);
  },
);
