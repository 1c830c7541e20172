import { scopes } from "@siteward/contract";
import { describe, expect, test, vi } from "vitest";
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
    [{ now: new Date("tomorrow") }, 'now must be a valid Date, such as new Date("2026-01-01").'],
    [{ baseUrl: "siteward.test" }, "baseUrl must be an http or https URL without a path"],
    // A program without types may pass anything.
    [{ website: [] } as FakeSitewardOptions, 'the options cannot have "website". Use only: websites, websiteLimit,'],
    [{ websites: {} } as FakeSitewardOptions, "websites must be an array."],
    [{ now: "2026-01-01" as unknown as Date }, "now must be a valid Date"],
    [{ account: { login: "x" } } as FakeSitewardOptions, 'account cannot have "login". Use only: name, email.'],
    [null as unknown as FakeSitewardOptions, "the options must be an object."],
  ])("refuses %j and says what to do", (options, message) => {
    expect(() => createFakeSiteward(options)).toThrow(/^createFakeSiteward: /);
    expect(() => createFakeSiteward(options)).toThrow(message);
  });

  test("begins with an account and an API key of these names", async () => {
    const { fake, siteward } = openFake();
    expect(await siteward.account.get()).toMatchObject({
      id: 1,
      name: "Test account",
      email: "test@siteward.test",
      api_key: { name: "Test", prefix: fake.apiKey.slice(0, 12), scopes: [...scopes], expires_at: null },
    });
  });

  test("refuses API keys that could not exist", () => {
    const fake = createFakeSiteward();
    expect(() => fake.createApiKey({ scopes: ["websites:admin" as "websites:read"] })).toThrow(
      'createApiKey: there is no scope "websites:admin". Use one of: websites:read, websites:write, account:read.',
    );
    expect(() => fake.createApiKey({ scopes: "websites:read" as unknown as [] })).toThrow(
      "createApiKey: scopes must be an array of: websites:read, websites:write, account:read.",
    );
    expect(() => fake.createApiKey({ expiresAt: new Date("x") })).toThrow(
      "createApiKey: expiresAt must be a valid Date, such as",
    );
    expect(() => fake.createApiKey({ rateLimit: -1 })).toThrow("createApiKey: rateLimit must be");
    expect(() => fake.revokeApiKey("swk_x")).toThrow(
      "revokeApiKey: the fake has no such API key. Pass one that createApiKey returned.",
    );
  });

  test("refuses a website that the service would refuse, and names the function", () => {
    const fake = createFakeSiteward();
    expect(() => fake.createWebsite({ domain: "a b" })).toThrow(
      "createWebsite: the service would refuse the website. Invalid request: domain ",
    );
  });

  test("shares nothing with another fake", async () => {
    const { fake, siteward } = openFake();
    const other = createFakeSiteward();
    const created = await siteward.websites.create({ domain: "a.example" });
    expect(fake.websites).toEqual([created]);
    expect(other.websites).toEqual([]);
    expect(other.requests).toEqual([]);
  });

  test("returns copies, so that a test cannot change the state by accident", () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example", exclude_params: ["q"] }] });
    fake.websites[0]?.exclude_params.push("r");
    expect(fake.websites[0]?.exclude_params).toEqual(["q"]);
  });
});

describe("another program", () => {
  test("updates a website by the rules of the service, between a read and an update of this one", async () => {
    const { fake, siteward } = openFake({ websites: [{ domain: "a.example", exclude_ips: ["203.0.113.9"] }] });
    const { response } = await siteward.websites.get(1).withResponse();
    const updated = fake.updateWebsite(1, { privacy: 2, password: "correct horse", exclude_ips: null });
    expect(updated).toMatchObject({ id: 1, privacy: 2, has_password: true, exclude_ips: [] });
    expect(fake.websites).toEqual([updated]);
    const late = siteward.websites.update(1, { email: 1 }, { ifMatch: response.etag });
    await expect(late).rejects.toMatchObject({ code: "precondition_failed" });
    expect(fake.requests).toHaveLength(2);
  });

  test("deletes a website, whose domain is free again", async () => {
    const { fake, siteward } = openFake({ websites: [{ domain: "a.example" }] });
    fake.deleteWebsite(1);
    await expect(siteward.websites.get(1)).rejects.toMatchObject({ code: "not_found" });
    expect(await siteward.websites.create({ domain: "a.example" })).toMatchObject({ id: 2 });
  });

  test("cannot do what the service refuses", () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const before = fake.websites;
    expect(() => fake.updateWebsite(1, { email: 2 as 1 })).toThrow(
      "updateWebsite: the service would refuse the changes. Invalid request: email is 2; send 0",
    );
    expect(() => fake.updateWebsite(1, { privacy: 2 })).toThrow("password is required if");
    // A program without types may pass anything.
    expect(() => fake.updateWebsite(1, { domain: "b.example" } as object)).toThrow("updateWebsite: the service would");
    expect(() => fake.updateWebsite(1, undefined as unknown as object)).toThrow("the changes must be an object.");
    expect(() => fake.updateWebsite(7, {})).toThrow(
      "updateWebsite: no website has the ID 7. Pass the ID of one of fake.websites.",
    );
    expect(() => fake.deleteWebsite("1" as unknown as number)).toThrow(
      'deleteWebsite: no website has the ID "1". Pass',
    );
    expect(fake.websites).toEqual(before);
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
    expect(() => createFakeSiteward().clock.advance(byMs)).toThrow(
      "clock.advance: byMs must be a number of milliseconds",
    );
  });

  test("follows fake timers, even those that are installed later", () => {
    const fake = createFakeSiteward();
    vi.useFakeTimers({ now: new Date("2026-01-01") });
    try {
      vi.advanceTimersByTime(1_000);
      expect(fake.clock.now()).toEqual(new Date("2026-01-01T00:00:01Z"));
    } finally {
      vi.useRealTimers();
    }
  });

  test("is not set to what is not a time", () => {
    expect(() => createFakeSiteward().clock.set(new Date("tomorrow"))).toThrow(
      "clock.set: the time must be a valid Date.",
    );
  });
});
