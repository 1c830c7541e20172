import { describe, expect, test } from "vitest";
import { Siteward } from "../../src/index.ts";
import { createFakeSiteward, type FakeApiKeyOptions } from "../../src/testing/index.ts";
import { openFake } from "./support/open-fake.ts";

function openWithKey(options: FakeApiKeyOptions) {
  const { fake } = openFake({ now: new Date("2026-01-01") });
  const apiKey = fake.createApiKey(options);
  return { fake, apiKey, siteward: new Siteward({ ...fake.clientOptions, apiKey, maxRetries: 0 }) };
}

describe("an API key of the fake", () => {
  test("without the scope of an operation is refused with the scope that is missing", async () => {
    const { siteward } = openWithKey({ scopes: ["websites:read"] });
    await siteward.websites.list();
    await expect(siteward.websites.create({ domain: "a.example" })).rejects.toMatchObject({
      code: "insufficient_scope",
      problem: { required_scope: "websites:write" },
    });
    await expect(siteward.account.get()).rejects.toMatchObject({ problem: { required_scope: "account:read" } });
  });

  test("is valid until it expires by the clock of the fake", async () => {
    const { fake, siteward } = openWithKey({ expiresAt: new Date("2026-01-02") });
    fake.clock.advance(86_400_000 - 1);
    await siteward.websites.list();
    fake.clock.advance(1);
    await expect(siteward.websites.list()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
  });

  test("is valid until it is revoked", async () => {
    const { fake, apiKey, siteward } = openWithKey({});
    await siteward.websites.list();
    fake.revokeApiKey(apiKey);
    await expect(siteward.websites.list()).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("that is unknown is refused", async () => {
    const { fake } = openFake();
    const stranger = new Siteward({ ...fake.clientOptions, apiKey: "swk_unknown" });
    await expect(stranger.websites.list()).rejects.toMatchObject({
      code: "unauthenticated",
      detail: "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
    });
  });

  test("has a limit of requests, whose state each answer tells, and which the clock fills again", async () => {
    const { fake, siteward } = openWithKey({ rateLimit: 2 });
    const { response } = await siteward.websites.list().withResponse();
    expect(response.headers.get("RateLimit-Policy")).toBe('"default";q=2;w=60');
    expect(response.headers.get("RateLimit")).toBe('"default";r=1;t=30');
    await siteward.websites.list();
    await expect(siteward.websites.list()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 30_000 });
    fake.clock.advance(30_000);
    await siteward.websites.list();
  });

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
