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

  test("names the lists of the file that a setting uses, and shows equal updates once from three on", () => {
    const withLists = (id: number, before: readonly string[]): PlannedUpdate => {
      const website = buildWebsite(id, `${id}.example`, { exclude_ips: [...before] });
      const change = toUpdate(website, { exclude_ips: ["203.0.113.0/24", "::1"] });
      return { ...change, lists: { exclude_ips: ["office", "vpn"] } };
    };
    const earlier = ["198.51.100.7", "::1"];
    const [first, second, third] = [withLists(1, earlier), withLists(2, earlier), withLists(5, earlier)];
    const reordered = withLists(3, ["::1", "203.0.113.0/24"]);
    const look = { color: false, ascii: false };
    const diff = "      + 203.0.113.0/24\n      - 198.51.100.7\n";
    const end = "\nPlan: 3 to update. 2 websites are as in the file.\n";
    expect(renderPlan(planOf(first, reordered, second), look)).toBe(
      `~ 1.example (ID 1)\n    exclude_ips (with @office, @vpn):\n${diff}` +
        `~ 3.example (ID 3)\n    exclude_ips (with @office, @vpn): in another order\n` +
        `~ 2.example (ID 2)\n    exclude_ips (with @office, @vpn):\n${diff}${end}`,
    );
    const own = { ...third, domain: "own.example", lists: {} };
    expect(renderPlan(planOf(first, reordered, second, own, third), look)).toBe(
      `~ 3 websites with @office, @vpn: 1.example (ID 1), 2.example (ID 2), … and 1 more\n    exclude_ips:\n${diff}` +
        `~ 3.example (ID 3)\n    exclude_ips (with @office, @vpn): in another order\n` +
        `~ own.example (ID 5)\n    exclude_ips:\n${diff}${end.replace("3", "5")}`,
    );
    const removed = [update, update, update].map((change) => ({ ...change, domain: "a.example" }));
    expect(renderPlan(planOf(deletion, create, ...removed), look)).toContain(
      "\n~ 3 websites: a.example (ID 7), a.example (ID 7), … and 1 more\n    privacy: password → private, and remove the password\n",
    );
  });
});
