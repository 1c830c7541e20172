import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildWebsite } from "../../test/support/build-website.ts";
import type { Place, WebsiteEntry } from "../entries/website-entry.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { computePlan, type Plan, type PlanInput } from "./compute-plan.ts";
import { applyPolicy, type Policy } from "./policy.ts";

const place: Place = { unit: "line", number: 3 };

function entry(domain: string, settings: Partial<WebsiteSettings> = {}, env?: string): WebsiteEntry {
  return { place, domain, settings, ...(env === undefined ? {} : { password: { env } }) };
}

/** The flags of a plan, and how many websites the account has. */
type More = Partial<Pick<Policy, "isPruned" | "setsPasswords"> & Pick<PlanInput, "total">>;

function plan(entries: readonly WebsiteEntry[], websites: readonly Website[], more: More = {}): Plan {
  const computed = computePlan(input(entries, websites, more));
  if ("problems" in computed) throw new Error(JSON.stringify(computed.problems));
  return computed.plan;
}

function input(entries: readonly WebsiteEntry[], websites: readonly Website[], more: More): PlanInput {
  const existing = new Map(websites.map((each) => [each.domain, each]));
  const { total = websites.length, isPruned = false, setsPasswords = false } = more;
  return { entries, existing, total, policy: applyPolicy({ isPruned, setsPasswords }) };
}

describe("a website that the account does not have", () => {
  test("is created with every setting, those of a new website if the file states none", () => {
    expect(plan([entry("a.example", { privacy: 1, exclude_ips: ["203.0.113.7"] })], []).changes).toEqual([
      {
        action: "create",
        place,
        domain: "a.example",
        settings: { privacy: 1, email: 0, exclude_bots: 1, exclude_params: [], exclude_ips: ["203.0.113.7"] },
      },
    ]);
  });

  test("is created with its password", () => {
    expect(plan([entry("a.example", { privacy: 2 }, "A")], []).changes).toMatchObject([{ password: { env: "A" } }]);
  });
});

describe("a website that the account has", () => {
  test("is not changed if its settings are those of the file, also by default", () => {
    const existing = buildWebsite(7, "a.example", { privacy: 1 });
    expect(plan([entry("a.example", { privacy: 1, email: 0 })], [existing])).toEqual({
      changes: [],
      unchanged: 1,
      unlisted: 0,
    });
  });

  test("is updated with only the settings that differ, also back to those of a new website", () => {
    const existing = buildWebsite(7, "a.example", { privacy: 1, email: 1, exclude_params: ["ref"] });
    expect(plan([entry("a.example", { privacy: 1, exclude_params: ["ref", "utm_*"] })], [existing]).changes).toEqual([
      {
        action: "update",
        place,
        domain: "a.example",
        website: existing,
        settings: { email: 0, exclude_params: ["ref", "utm_*"] },
      },
    ]);
  });

  test("is updated if only the order of a list differs, so that the account has exactly what the file states", () => {
    const existing = buildWebsite(7, "a.example", { exclude_params: ["b", "a"] });
    expect(plan([entry("a.example", { exclude_params: ["a", "b"] })], [existing]).changes).toMatchObject([
      { action: "update", settings: { exclude_params: ["a", "b"] } },
    ]);
  });

  test("gets its password when it becomes protected, and later only if the passwords are set again", () => {
    const entries = [entry("a.example", { privacy: 2 }, "A")];
    const password = { env: "A" };
    expect(plan(entries, [buildWebsite(7, "a.example")]).changes).toMatchObject([
      { settings: { privacy: 2 }, password },
    ]);
    const isProtected = [buildWebsite(7, "a.example", { privacy: 2 })];
    expect(plan(entries, isProtected).changes).toEqual([]);
    expect(plan(entries, isProtected, { setsPasswords: true }).changes).toMatchObject([{ settings: {}, password }]);
  });
});

describe("a password that the file does not name", () => {
  test("is a problem if a website becomes protected", () => {
    const entries = [entry("a.example", { privacy: 2 }), entry("b.example", { privacy: 2 })];
    const computed = computePlan(input(entries, [buildWebsite(7, "a.example")], {}));
    expect(computed).toMatchObject({
      problems: [
        { place, domain: "a.example" },
        { place, domain: "b.example" },
      ],
    });
  });

  test("is none if the website is protected, also if the passwords are set again", () => {
    const existing = [buildWebsite(7, "a.example", { privacy: 2 })];
    expect(plan([entry("a.example", { privacy: 2 })], existing).changes).toEqual([]);
    expect(plan([entry("a.example", { privacy: 2 })], existing, { setsPasswords: true }).changes).toEqual([]);
  });
});

describe("websites that are not in the file", () => {
  const others = [buildWebsite(9, "z.example"), buildWebsite(8, "b.example")];

  test("are counted and not touched", () => {
    const { changes, unlisted } = plan([entry("a.example")], others, { total: 5 });
    expect(changes.map(({ action, domain }) => [action, domain])).toEqual([["create", "a.example"]]);
    expect(unlisted).toBe(5);
  });

  test("are deleted in the order of their domains, after everything else, if the account is pruned", () => {
    const { changes, unlisted } = plan([entry("a.example")], others, { isPruned: true });
    expect(changes.map(({ action, domain }) => [action, domain])).toEqual([
      ["create", "a.example"],
      ["delete", "b.example"],
      ["delete", "z.example"],
    ]);
    expect(unlisted).toBe(0);
  });
});

describe("any file and any account", () => {
  const settings = fc.record(
    {
      privacy: fc.constantFrom(0 as const, 1 as const, 2 as const),
      email: fc.constantFrom(0 as const, 1 as const),
      exclude_bots: fc.constantFrom(0 as const, 1 as const),
      exclude_params: fc.uniqueArray(fc.constantFrom("a", "b", "utm_*"), { maxLength: 3 }),
      exclude_ips: fc.uniqueArray(fc.constantFrom("203.0.113.7", "::1"), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  const domain = fc.constantFrom("a.example", "b.example", "c.example", "d.example");
  const sites = fc.uniqueArray(fc.tuple(domain, settings), { selector: ([name]) => name });

  test("the changes of the plan give the account exactly what the file states, and a second plan is empty", () => {
    fc.assert(
      fc.property(sites, sites, fc.boolean(), (listed, stored, isPruned) => {
        const entries = listed.map(([name, stated]) =>
          entry(name, stated, stated.privacy === 2 ? "PASSWORD" : undefined),
        );
        const websites = stored.map(([name, stated], index) => buildWebsite(index + 1, name, stated));
        const after = applied(plan(entries, websites, { isPruned }), websites);
        for (const { domain: name, settings: stated } of entries) {
          expect(completeSettings(after.get(name) ?? {}), name).toEqual(completeSettings(stated));
        }
        const untouched = websites.filter((each) => !entries.some((listedEntry) => listedEntry.domain === each.domain));
        for (const each of untouched) expect(after.get(each.domain)).toBe(isPruned ? undefined : each);
        expect(plan(entries, [...after.values()], { isPruned })).toEqual({
          changes: [],
          unchanged: entries.length,
          unlisted: isPruned ? 0 : untouched.length,
        });
      }),
      { numRuns: 1000 },
    );
  });
});

/** Does what a plan says to websites in memory. */
function applied({ changes }: Plan, websites: readonly Website[]): Map<string, Website> {
  const after = new Map(websites.map((each) => [each.domain, each]));
  for (const change of changes) {
    if (change.action === "delete") after.delete(change.domain);
    else if (change.action === "create") after.set(change.domain, buildWebsite(99, change.domain, change.settings));
    else
      after.set(
        change.domain,
        buildWebsite(change.website.id, change.domain, { ...change.website, ...change.settings }),
      );
  }
  return after;
}
