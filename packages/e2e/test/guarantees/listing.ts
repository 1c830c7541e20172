import { expect } from "vitest";
import { websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { follow, range, withWebsites } from "./lists.ts";

/** Parameters, and queries in which they are refused. */
const refusals = [
  ["search_by", ["search_by=name", "search_by="]],
  ["sort_by", ["sort_by=name"]],
  ["sort", ["sort=up", "sort=ASC", "sort=asc&sort=asc"]],
  ["per_page", ["per_page=11", "per_page=0", "per_page=", "per_page=1e1"]],
  ["page", ["page=00", "page=-1", "page=1.5", "page=x", "page=01"]],
  ["entity_tags", ["entity_tags=true", "entity_tags="]],
  ["search", ["search=a&search=b", `search=${"x".repeat(254)}`]],
  ["cursor", ["cursor=a&cursor=b", "page=1&cursor=x", "page=0&cursor=x", "page=&cursor=x"]],
  ["unknown", ["unknown=1"]],
  ["__proto__", ["__proto__=1"]],
  ["constructor[prototype]", ["constructor[prototype]=1"]],
] as const;

export const listing: Guarantees = {
  "an empty account has one empty page": async (caller) => {
    const { baseUrl } = caller.account;
    expect((await caller.get(websites)).page).toEqual({
      data: [],
      links: { first: `${baseUrl}${websites}`, prev: null, next: null },
      meta: {
        per_page: 10,
        total: 0,
        total_relation: "eq",
        current_page: 1,
        last_page: 1,
        next_cursor: null,
        prev_cursor: null,
        changes_cursor: expect.stringMatching(/^[\w-]+$/),
      },
    });
  },
  "a list begins with the newest, and a page by number has the next 10, 25, 50 or 100, or none past the last": async (
    _,
    service,
  ) => {
    const caller = await withWebsites(service, 101);
    const read = async (query: string) => (await caller.get(`${websites}?${query}`)).page;
    const first = await read("");
    expect(first.data.map(({ id }) => id)).toEqual(range(92, 101).reverse());
    expect(first.links).toMatchObject({ first: `${caller.account.baseUrl}${websites}`, prev: null });
    expect(first.meta).toMatchObject({ per_page: 10, total: 101, total_relation: "eq", prev_cursor: null });
    for (const page of ["1", "0", ""]) expect(await read(`page=${page}`)).toEqual(first);
    for (const size of [10, 25, 50, 100]) {
      const last = Math.ceil(101 / size);
      for (const page of [1, 2, last, last + 1, last + 6]) {
        const { data, meta, links } = await read(`per_page=${size}&page=${page}&sort=asc`);
        expect(data.map(({ id }) => id)).toEqual(range((page - 1) * size + 1, Math.min(page * size, 101)));
        expect([meta.per_page, meta.current_page, meta.last_page]).toEqual([size, page, last]);
        expect(links.next !== null).toBe(page < last);
        if (page <= last) expect(links.prev !== null).toBe(page > 1);
      }
    }
  },
  "a list can be sorted by ID and by the bytes of the domain, in both directions": async (caller) => {
    await caller.createAll(["b-0.example", "b.example", "a.example"]);
    for (const [query, ids] of [
      ["sort_by=id&sort=desc", [3, 2, 1]],
      ["sort_by=id&sort=asc", [1, 2, 3]],
      ["sort_by=domain&sort=asc", [3, 1, 2]],
      ["sort_by=domain&sort=desc", [2, 1, 3]],
      ["sort=asc", [1, 2, 3]],
      ["sort_by=domain", [2, 1, 3]],
    ] as const) {
      expect([query, (await caller.get(`${websites}?${query}`)).ids]).toEqual([query, ids]);
    }
  },
  "links contain the parameters of the list that are not the defaults, and need only the key": async (_, service) => {
    const caller = await withWebsites(service, 60);
    const list = `${caller.account.baseUrl}${websites}`;
    const byDefault = (await caller.get(`${websites}?search=%20Site%20&sort_by=domain&sort=desc&per_page=10`)).page;
    expect(byDefault.links).toEqual({
      first: `${list}?search=Site&sort_by=domain`,
      prev: null,
      next: `${list}?search=Site&sort_by=domain&cursor=${byDefault.meta.next_cursor}`,
    });
    const { links } = (await caller.get(`${websites}?search=%20Site%20&sort_by=domain&sort=asc&per_page=25`)).page;
    expect(Object.fromEntries(new URL(links.next ?? "").searchParams)).toEqual({
      search: "Site",
      sort_by: "domain",
      sort: "asc",
      per_page: "25",
      cursor: expect.any(String),
    });
    expect((await follow(caller, links.next)).data).toHaveLength(25);
    expect((await follow(caller, links.first)).meta.prev_cursor).toBeNull();
  },
  "a list with entity_tags has the tag of each record in its order, on every page, and is the same without them":
    async (_, service) => {
      const caller = await withWebsites(service, 12);
      await caller.put(`${websites}/3`, { email: 1 });
      const plain = (await caller.get(`${websites}?sort=asc`)).page;
      expect((await caller.get(`${websites}?sort=asc&entity_tags=0`)).page).toEqual(plain);
      const tagged = (await caller.get(`${websites}?sort=asc&entity_tags=1`)).page;
      const { entity_tags: tags = [], ...meta } = tagged.meta;
      expect({ data: tagged.data, meta }).toEqual({ data: plain.data, meta: plain.meta });
      for (const [index, { id }] of tagged.data.entries()) {
        expect(tags[index]).toBe((await caller.get(`${websites}/${id}`)).header("ETag"));
      }
      expect(tagged.links.next).toBe(plain.links.next?.replace("cursor=", "entity_tags=1&cursor="));
      const next = await follow(caller, tagged.links.next);
      expect(next.meta.entity_tags).toHaveLength(2);
      expect((await follow(caller, next.links.prev)).meta.entity_tags).toEqual(tags);
    },
  "a refusal names every invalid parameter with its message": async (caller) => {
    const answer = await caller.get(
      `${websites}?search_by=id&sort_by=name&sort=ASC&per_page=11&page=-1&limit=5&search=a&search=b`,
    );
    expect(answer.fieldErrors).toEqual({
      search: ["was sent more than once or as an array; send it once, as a search term"],
      search_by: ['is "id"; send "domain"'],
      sort_by: ['is "name"; send "id" or "domain"'],
      sort: ['is "ASC"; send "desc" or "asc"'],
      per_page: ["is 11; send 10, 25, 50 or 100"],
      page: ['is "-1"; send a whole number of at least 1'],
      limit: [
        "is unknown; send only search, search_by, sort_by, sort, per_page, page, cursor, changed_since, entity_tags",
      ],
    });
  },
  "each invalid parameter is refused by its name": async (caller) => {
    for (const [name, queries] of refusals) {
      for (const query of queries) {
        expect([query, (await caller.get(`${websites}?${query}`)).refusedNames]).toEqual([query, [name]]);
      }
    }
  },
  "a page that skips 100,000 records is answered, and the refusal of one that skips more names the cursor": async (
    caller,
  ) => {
    for (const query of ["page=10001", "page=1001&per_page=100"]) {
      expect((await caller.get(`${websites}?${query}`)).page.data).toEqual([]);
    }
    for (const query of ["page=10002", "page=1002&per_page=100", "page=999999999999999"]) {
      expect((await caller.get(`${websites}?${query}`)).fieldErrors).toEqual({
        page: [
          "would skip more than 100000 records; follow links.next or send its cursor instead, " +
            "which is equally fast at any depth",
        ],
      });
    }
  },
};
