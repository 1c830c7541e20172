import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

export const listing: Guarantees = {
  "an empty account has one empty page": async (service) => {
    const caller = new Caller(service);
    const { baseUrl } = caller.account;
    expect((await caller.call("GET", websites)).page).toEqual({
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
      },
    });
  },
  "a list begins with the newest, and has ten records on a page": async (service) => {
    const caller = await withWebsites(service, 12);
    const { data, meta } = (await caller.call("GET", websites)).page;
    expect(data.map(({ id }) => id)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(meta).toMatchObject({ total: 12, current_page: 1, last_page: 2, prev_cursor: null });
  },
  "a list can be sorted by ID and by the bytes of the domain, in both directions": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["b-.example", "b.example", "a.example"].map((domain) => domain.replace("-.", "-0.")));
    for (const [query, ids] of [
      ["sort_by=id&sort=asc", [1, 2, 3]],
      ["sort_by=domain&sort=asc", [3, 1, 2]],
      ["sort_by=domain", [2, 1, 3]],
    ] as const) {
      expect((await caller.call("GET", `${websites}?${query}`)).ids).toEqual(ids);
    }
  },
  "pages by number go to the end, and are empty after it": async (service) => {
    const caller = await withWebsites(service, 12);
    expect((await caller.call("GET", `${websites}?page=2&sort=asc`)).ids).toEqual([11, 12]);
    const { data, meta } = (await caller.call("GET", `${websites}?page=9`)).page;
    expect([data, meta.current_page, meta.last_page]).toEqual([[], 9, 2]);
    for (const page of ["0", ""]) {
      expect((await caller.call("GET", `${websites}?page=${page}`)).page.meta.current_page).toBe(1);
    }
  },
  "links lead through a list and back, also while records are created and deleted": async (service) => {
    const caller = await withWebsites(service, 25);
    const first = (await caller.call("GET", `${websites}?sort=asc`)).page;
    await caller.call("DELETE", `${websites}/10`);
    await caller.call("DELETE", `${websites}/3`);
    await caller.createAll(["new.example"]);
    const second = await follow(caller, first.links.next);
    expect(second.data.map(({ id }) => id)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(second.meta).toMatchObject({ current_page: null, last_page: null, total: 24 });
    const third = await follow(caller, second.links.next);
    expect([third.data.map(({ id }) => id), third.links.next]).toEqual([[21, 22, 23, 24, 25, 26], null]);
    const back = await follow(caller, second.links.prev);
    expect(back.data.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9]);
  },
  "links contain the parameters of the list that are not the defaults": async (service) => {
    const caller = await withWebsites(service, 12);
    const query = "search=%20Site%20&sort_by=domain&sort=desc&per_page=10";
    const { links, meta } = (await caller.call("GET", `${websites}?${query}`)).page;
    const list = `${caller.account.baseUrl}${websites}?search=Site&sort_by=domain`;
    expect(links).toEqual({ first: list, prev: null, next: `${list}&cursor=${meta.next_cursor}` });
  },
  "a search finds a part of the domain in any case, also of an internationalized one": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["shop.example.com", "example.org", "xn--bcher-kva.example"]);
    for (const [search, ids] of [
      ["EXAMPLE", [3, 2, 1]],
      ["%20shop ", [1]],
      ["b%C3%BCcher", [3]],
      ["xn--b", [3]],
      ["%25", []],
      ["_", []],
      ["", [3, 2, 1]],
    ] as const) {
      expect((await caller.call("GET", `${websites}?search=${search}&search_by=domain`)).ids).toEqual(ids);
    }
  },
  "a refusal names every invalid parameter with its message": async (service) => {
    const answer = await new Caller(service).call(
      "GET",
      `${websites}?search_by=id&sort_by=name&sort=ASC&per_page=11&page=-1&limit=5&search=a&search=b`,
    );
    expect(answer.fieldErrors).toEqual({
      search: ["was sent more than once or as an array; send it once, as a search term"],
      search_by: ['is "id"; send "domain"'],
      sort_by: ['is "name"; send "id" or "domain"'],
      sort: ['is "ASC"; send "desc" or "asc"'],
      per_page: ["is 11; send 10, 25, 50 or 100"],
      page: ['is "-1"; send a whole number of at least 1'],
      limit: ["is unknown; send only search, search_by, sort_by, sort, per_page, page, cursor"],
    });
  },
  "a page past 100,000 records is refused, and a page before is not": async (service) => {
    const caller = new Caller(service);
    expect((await caller.call("GET", `${websites}?page=10001`)).page.data).toEqual([]);
    expect((await caller.call("GET", `${websites}?page=10002`)).fieldErrors).toEqual({
      page: [
        "would skip more than 100000 records; follow links.next or send its cursor instead, which is equally fast at any depth",
      ],
    });
  },
  "a cursor belongs to one list, and works with another number of records": async (service) => {
    const caller = await withWebsites(service, 12);
    const cursor = (await caller.call("GET", websites)).page.meta.next_cursor;
    expect((await caller.call("GET", `${websites}?cursor=${cursor}&per_page=25`)).ids).toEqual([2, 1]);
    for (const [query, message] of [
      ["sort=asc", /^belongs to a list with another search, sort_by or sort; /],
      ["search=site", /^belongs to a list with another search, sort_by or sort; /],
      ["page=1", /^cannot be combined with page; send only one of the two$/],
    ] as const) {
      const answer = await caller.call("GET", `${websites}?${query}&cursor=${cursor}`);
      expect(answer.fieldErrors).toEqual({ cursor: [expect.stringMatching(message)] });
    }
    for (const text of ["", "x", "W10", "%00", "bnVsbA"]) {
      const answer = await caller.call("GET", `${websites}?cursor=${text}`);
      expect(answer.fieldErrors).toEqual({ cursor: [expect.stringMatching(/^is not a valid cursor; /)] });
    }
  },
};

async function withWebsites(service: ConstructorParameters<typeof Caller>[0], count: number): Promise<Caller> {
  const caller = new Caller(service);
  await caller.createAll(Array.from({ length: count }, (_, index) => `site-${index}.example`));
  return caller;
}

async function follow(caller: Caller, link: string | null) {
  return (await caller.call("GET", link?.slice(caller.account.baseUrl.length) ?? "")).page;
}
