import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { range } from "./lists.ts";

const fewDomains = ["shop.example.com", "example.org", "xn--bcher-kva.example", "100.example.net", "a-b.example"];

/** Terms, and the IDs of the domains that they find. */
const terms: ReadonlyArray<readonly [term: string, ids: readonly number[]]> = [
  ["example", [5, 4, 3, 2, 1]],
  ["EXAMPLE.c", [1]],
  ["  shop ", [1]],
  [".", [5, 4, 3, 2, 1]],
  ["or", [2]],
  ["a-b", [5]],
  ["10", [4]],
  ["bücher", [3]],
  ["BÜCHER.EX", [3]],
  ["xn--bcher", [3]],
  ["%", []],
  ["_", []],
  ["a_b", []],
  ["e%e", []],
  ["*", []],
  ["\\", []],
  ["'", []],
  ['"', []],
  ["example' or '1'='1", []],
  ["\u0000", []],
  ["nothing-like-it", []],
  ["🦊", []],
];

export const searching: Guarantees = {
  "a search finds a part of the domain in any case, also of an internationalized one, and counts the matches": async (
    service,
  ) => {
    const caller = new Caller(service);
    await caller.createAll(fewDomains);
    for (const [search, ids] of terms) {
      const query = new URLSearchParams({ search, search_by: "domain" });
      const answer = await caller.get(`${websites}?${query}`);
      expect([search, answer.ids]).toEqual([search, ids]);
      expect(answer.page.meta).toMatchObject({ total: ids.length, total_relation: "eq" });
    }
  },
  "an empty term is none": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(fewDomains);
    for (const search of ["", "%20", "%20%20"]) {
      expect((await caller.get(`${websites}?search=${search}&search_by=domain`)).ids).toEqual([5, 4, 3, 2, 1]);
    }
  },
  "more than 10,000 matches are counted as at least that many, without a last page, and an entire list exactly": async (
    service,
  ) => {
    const caller = new Caller(service);
    const domains = range(1, 10_001).map((number) => `site-${number}.example`);
    await caller.account.createWebsites(caller.key, domains);
    const found = (await caller.get(`${websites}?search=site`)).page;
    expect(found.meta).toMatchObject({ total: 10_000, total_relation: "gte", current_page: 1, last_page: null });
    expect(found.links.next).not.toBeNull();
    const all = (await caller.get(websites)).page;
    expect(all.meta).toMatchObject({ total: 10_001, total_relation: "eq", current_page: 1, last_page: 1001 });
  },
};
