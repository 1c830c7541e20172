import { describe, expect, test } from "vitest";
import { createFakeSiteward, type FakeSitewardOptions } from "../../src/testing/index.ts";
import { openFake } from "./support/open-fake.ts";

describe("createFakeSiteward", () => {
  test("begins with its websites, in canonical form", async () => {
    const { fake, siteward } = openFake({
      websites: [{ domain: "A.example", privacy: 2, password: "correct horse" }, { domain: "b.example" }],
    });
    expect(fake.websites).toMatchObject([
      { id: 1, domain: "a.example", has_password: true },
      { id: 2, domain: "b.example" },
    ]);
    expect(fake.createWebsite({ domain: "c.example", exclude_ips: null })).toEqual(await siteward.websites.get(3));
    expect(fake.requests).toHaveLength(1);
  });

  test.each<[FakeSitewardOptions, string]>([
    [{ websites: [{ domain: "a b" }] }, "the service would refuse websites[0]. Invalid request: domain "],
    [
      { websites: [{ domain: "a.example" }, { domain: "A.example" }] },
      'the service would refuse websites[1]. Website 1 of this account already has the domain "a.example".',
    ],
    [{ websites: [{ domain: "a.example" }], websiteLimit: 0 }, "reached its limit of 0 websites"],
    [{ websites: [{ domain: "a.example", privacy: 2 }] }, "password is required if privacy is 2"],
    [{ websiteLimit: -1 }, "websiteLimit must be a whole number of at least 0, or null."],
    [{ rateLimit: 0.5 }, "rateLimit must be a whole number of requests per minute"],
    [{ now: new Date("tomorrow") }, "clock.set needs a valid Date."],
    [{ baseUrl: "siteward.test" }, "baseUrl must be an http or https URL without a path"],
    // A program without types may pass anything.
    [{ website: [] } as FakeSitewardOptions, 'the fake has no option "website". It has: websites, websiteLimit,'],
  ])("refuses %j and says what to do", (options, message) => {
    expect(() => createFakeSiteward(options)).toThrow(message);
  });

  test("refuses API keys that could not exist", () => {
    const fake = createFakeSiteward();
    expect(() => fake.createApiKey({ scopes: ["websites:admin" as "websites:read"] })).toThrow(
      'there is no scope "websites:admin". Use one of: websites:read, websites:write, account:read.',
    );
    expect(() => fake.createApiKey({ expiresAt: new Date("x") })).toThrow(
      "expiresAt of an API key must be a valid Date.",
    );
    expect(() => fake.createApiKey({ rateLimit: -1 })).toThrow("rateLimit must be");
    expect(() => fake.revokeApiKey("swk_x")).toThrow("revokeApiKey needs an API key that createApiKey returned.");
  });

  test("shares nothing with another fake", async () => {
    const { fake, siteward } = openFake();
    const other = createFakeSiteward();
    await siteward.websites.create({ domain: "a.example" });
    expect(fake.websites).toHaveLength(1);
    expect(other.websites).toEqual([]);
    expect(other.requests).toEqual([]);
  });

  test("returns copies, so that a test cannot change the state by accident", () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example", exclude_params: ["q"] }] });
    fake.websites[0]?.exclude_params.push("r");
    expect(fake.websites[0]?.exclude_params).toEqual(["q"]);
  });
});

describe("the clock", () => {
  test("is that of the runtime until it is set, and then passes only when it is advanced", () => {
    const fake = createFakeSiteward();
    const before = Date.now();
    expect(fake.clock.now().getTime()).toBeGreaterThanOrEqual(before);
    fake.clock.advance(3_600_000);
    expect(fake.clock.now().getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
    fake.clock.set(new Date("2026-01-01"));
    fake.clock.advance(1);
    expect(fake.clock.now().toISOString()).toBe("2026-01-01T00:00:00.001Z");
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("is not advanced by %d", (byMs) => {
    expect(() => createFakeSiteward().clock.advance(byMs)).toThrow("clock.advance needs a number of milliseconds");
  });
});
