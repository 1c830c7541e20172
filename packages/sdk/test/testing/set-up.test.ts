import { scopes } from "@siteward/contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFakeSiteward, type FakeSitewardOptions } from "../../src/testing/index.ts";
import { openFake } from "./support/open-fake.ts";

describe("createFakeSiteward", () => {
  test("begins with its websites, in canonical form", async () => {
    const { fake, siteward } = openFake({
      websites: [
        { domain: "A.example", privacy: 2, password: "correct horse" },
        { domain: "b.example", exclude_ips: null },
      ],
    });
    expect(fake.websites).toMatchObject([
      { id: 1, domain: "a.example", has_password: true },
      { id: 2, domain: "b.example" },
    ]);
    expect(await siteward.websites.list({ sort: "asc" }).toArray({ limit: 3 })).toEqual(fake.websites);
  });

  test.each<[FakeSitewardOptions, string]>([
    [{ websites: [{ domain: "a b" }] }, "Invalid request: domain "],
    [
      { websites: [{ domain: "a.example" }, { domain: "A.example" }] },
      'Website 1 of this account already has the domain "a.example".',
    ],
    [{ websites: [{ domain: "a.example" }], websiteLimit: 0 }, "reached its limit of 0 websites"],
    [{ websites: [{ domain: "a.example", privacy: 2 }] }, "password is required if privacy is 2"],
    [{ now: new Date("tomorrow") }, "The time is not a valid Date."],
    [{ baseUrl: "siteward.test" }, "Invalid URL"],
  ])("refuses %j, as the service does, and says why", (options, message) => {
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

  test("revokes only an API key that it has", () => {
    expect(() => createFakeSiteward().revokeApiKey("swk_x")).toThrow("The fake has no such API key.");
  });

  test("has the same API keys as another fake, so that snapshots do not change", () => {
    const keys = [createFakeSiteward(), createFakeSiteward()].map((fake) => [fake.apiKey, fake.createApiKey()]);
    expect(keys[0]).toEqual(keys[1]);
    expect(new Set(keys[0]).size).toBe(2);
  });

  test("returns copies, so that a test cannot change the state by accident", () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example", exclude_params: ["q"] }] });
    fake.websites[0]?.exclude_params.push("r");
    expect(fake.websites[0]?.exclude_params).toEqual(["q"]);
  });
});

test("the clock is that of the runtime until it is set, and then passes only when it is advanced", () => {
  const fake = createFakeSiteward();
  const before = Date.now();
  expect(fake.clock.now().getTime()).toBeGreaterThanOrEqual(before);
  fake.clock.advance(3_600_000);
  expect(fake.clock.now().getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
  fake.clock.set(new Date("2026-01-01"));
  fake.clock.advance(1);
  expect(fake.clock.now().toISOString()).toBe("2026-01-01T00:00:00.001Z");
});

test("the clock follows fake timers, even those that are installed later", () => {
  const fake = createFakeSiteward();
  vi.useFakeTimers({ now: new Date("2026-01-01") });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1_000);
  expect(fake.clock.now()).toEqual(new Date("2026-01-01T00:00:01Z"));
});
