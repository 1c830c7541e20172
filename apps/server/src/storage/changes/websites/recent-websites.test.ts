import type { Website } from "@siteward/contract";
import type { VersionedWebsite } from "@siteward/service";
import { expect, it } from "vitest";
import { RecentWebsites } from "./recent-websites.ts";

const accountId = 7;

it("remembers at most as many records as fit into its bytes, and those that were stored last", () => {
  const recent = new RecentWebsites(14_000);
  for (let id = 1; id <= 100; id += 1) {
    recent.remember(accountId, recordOf(id));
    expect(recent.size).toBeLessThanOrEqual(20);
    expect(recent.size).toBeGreaterThanOrEqual(Math.min(id, 10));
  }
  expect(recent.take(accountId, 80)).toBeUndefined();
  for (let id = 91; id <= 100; id += 1) expect(recent.take(accountId, id)).toEqual(recordOf(id));
});

it("counts the strings of the lists", () => {
  const recent = new RecentWebsites(14_000);
  const full = Array.from({ length: 100 }, (_, index) => `parameter-${index}`);
  for (let id = 1; id <= 100; id += 1) {
    recent.remember(accountId, recordOf(id, id % 2 === 0 ? { exclude_params: full } : { exclude_ips: full }));
    expect(recent.size).toBeLessThanOrEqual(2);
  }
  expect(recent.take(accountId, 100)).toEqual(recordOf(100, { exclude_params: full }));
});

it("counts two bytes for each character, since a string can have characters outside of Latin-1", () => {
  const recent = new RecentWebsites(80_000);
  const full = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(128, "й"));
  for (let id = 1; id <= 10; id += 1) {
    recent.remember(accountId, recordOf(id, { exclude_params: full }));
    // 29 kB each.
    expect(recent.size).toBeLessThanOrEqual(2);
  }
});

it("counts a record once, however often it is stored or taken", () => {
  const recent = new RecentWebsites(4_000);
  recent.remember(accountId, recordOf(1));
  for (let count = 0; count < 10; count += 1) recent.remember(accountId, recordOf(2));
  for (let count = 0; count < 10; count += 1) {
    recent.take(accountId, 2);
    recent.remember(accountId, recordOf(3));
  }
  expect([recent.take(accountId, 1), recent.take(accountId, 3)]).toEqual([recordOf(1), recordOf(3)]);
  expect(recent.size).toBe(0);
});

it("forgets a record that is taken, or belongs to another account", () => {
  const recent = new RecentWebsites(10_000);
  recent.remember(accountId, recordOf(1));
  expect(recent.take(accountId + 1, 1)).toBeUndefined();
  expect(recent.take(accountId, 1)).toEqual(recordOf(1));
  expect(recent.take(accountId, 1)).toBeUndefined();
});

function recordOf(id: number, lists: Partial<Pick<Website, "exclude_params" | "exclude_ips">> = {}): VersionedWebsite {
  const time = "2026-01-01T00:00:00.000Z";
  const settings = { privacy: 0, email: 0, exclude_bots: 0 } as const;
  const website = { id, domain: `site-${id}.example`, has_password: false, created_at: time, updated_at: time };
  return { website: { ...website, ...settings, exclude_params: [], exclude_ips: [], ...lists }, version: 1 };
}
