import type { Website } from "@siteward/sdk";
import { describe, expect, test } from "vitest";
import { buildWebsite } from "../../test/support/build-website.ts";
import { completeSettings } from "../websites/settings.ts";
import type { Planned, PlannedUpdate } from "./decide.ts";
import type { Plan } from "./plan.ts";
import { renderPlan } from "./plan-text.ts";

const place = { unit: "line", number: 3 } as const;

function planOf(...changes: readonly Planned[]): Plan {
  return { changes, unchanged: 2, unlisted: 0 };
}

const create = {
  action: "create",
  place,
  domain: "shop.example.com",
  set: completeSettings({ privacy: 2, email: 1, exclude_params: ["utm_*", "ref"] }),
  password: { env: "SHOP_PASSWORD" },
} satisfies Planned;

function toUpdate(website: Website, set: PlannedUpdate["edit"]["set"]): PlannedUpdate {
  const { id, domain } = website;
  return { action: "update", place, id, domain, edit: { set }, only: { website, tag: "" } };
}

const protectedWebsite = buildWebsite(7, "example.com", {
  privacy: 2,
  exclude_ips: ["203.0.113.7", "::1"],
  exclude_params: ["a", "b"],
});
const lists = { exclude_params: ["b", "a"], exclude_ips: ["::1", "203.0.113.0/24"] };
const update = toUpdate(protectedWebsite, { privacy: 1, ...lists });
const old = buildWebsite(9, "old.example.com");
const deletion: Planned = { action: "delete", id: 9, domain: old.domain, only: { website: old, tag: "" } };

describe("a plan", () => {
  test("has a line for each website, and below it what changes, in the words of the file", () => {
    expect(renderPlan(planOf(create, update, deletion), { color: false, ascii: false })).toBe(`+ shop.example.com
    privacy: password
    email: true
    exclude_params: utm_*, ref
    password: from the environment variable SHOP_PASSWORD
~ example.com (ID 7)
    privacy: password → private, and remove the password
    exclude_params: in another order
    exclude_ips:
      + 203.0.113.0/24
      - 203.0.113.7
- old.example.com (ID 9)

Plan: 1 to create, 1 to update, 1 to delete. 2 websites are as in the file.
1 password is deleted for good (example.com).
`);
  });

  test("shows domains in Unicode, or in ASCII on request", () => {
    const created = { ...create, domain: "xn--bcher-kva.example" };
    expect(renderPlan(planOf(created), { color: false, ascii: false })).toContain("+ bücher.example\n");
    expect(renderPlan(planOf(created), { color: false, ascii: true })).toContain("+ xn--bcher-kva.example\n");
  });

  test("shows the first 50 entries of a longer list, and how many more there are", () => {
    const ips = Array.from({ length: 500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const added = toUpdate(buildWebsite(7, "example.com"), { exclude_ips: ips });
    const lines = renderPlan(planOf(added), { color: false, ascii: false }).split("\n");
    expect(lines.filter((line) => line.startsWith("      + "))).toHaveLength(50);
    expect(lines).toContain("      … and 450 more");
    const created = { ...create, set: completeSettings({ exclude_ips: ips }) };
    expect(renderPlan(planOf(created), { color: false, ascii: false })).toContain("10.0.0.49, … and 450 more\n");
  });
});
