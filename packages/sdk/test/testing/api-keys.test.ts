import { describe, expect, test } from "vitest";
import { createFakeSiteward } from "../../src/testing/index.ts";
import { openFake } from "./support/open-fake.ts";

describe("an API key of the fake", () => {
  test("has the limit of the fake by default", async () => {
    const { siteward } = openFake({ rateLimit: 1 });
    await siteward.websites.list();
    await expect(siteward.websites.list()).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("is the same in each fake, so that snapshots do not change", () => {
    const keys = [createFakeSiteward(), createFakeSiteward()].map((fake) => [fake.apiKey, fake.createApiKey()]);
    expect(keys[0]).toEqual(keys[1]);
    expect(new Set(keys[0]).size).toBe(2);
  });
});
