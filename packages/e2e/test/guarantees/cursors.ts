import { expect } from "vitest";
import { websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { follow, range, walk, withWebsites } from "./lists.ts";

/** Lists that are walked to the end and back. */
const queries = [
  "",
  "sort=asc",
  "sort_by=domain",
  "sort_by=domain&sort=asc",
  "search=SITE",
  "search=1&sort_by=domain&sort=asc",
];

/** Strings that are not cursors. */
const notCursors = [
  ...["", "x", "\u0000", "%00", "bnVsbA", "W10", "ü", "x".repeat(5000)],
  cursorOf([1, "id.desc", "forward", "after", "x"]),
  cursorOf([1, "id.desc", "forward", "after", 1.5]),
  cursorOf([1, "id.desc", "forward", "beside", 1]),
  cursorOf([1, "id.desc", "sideways", "after", 1]),
  cursorOf([2, "id.desc", "forward", "after", 1]),
];

export const cursors: Guarantees = {
  "links that are followed to the end and back return every record once, in order": async (_, service) => {
    const caller = await withWebsites(service, 45);
    for (const query of queries) {
      const all = (await caller.get(`${websites}?${query}&per_page=100`)).ids;
      expect(all.length).toBeGreaterThan(10);
      const forward = await walk(caller, `${caller.account.baseUrl}${websites}?${query}`, "next");
      const backward = await walk(caller, forward.at(-1)?.url ?? "", "prev");
      const byCursor = { current_page: null, last_page: null, total: all.length, total_relation: "eq" };
      for (const { page } of [...forward, ...backward].slice(1)) expect(page.meta).toMatchObject(byCursor);
      expect([forward, backward].map((pages) => pages.at(-1)?.page.links)).toMatchObject([
        { next: null },
        { prev: null },
      ]);
      for (const pages of [forward, backward.reverse()]) {
        expect([query, pages.flatMap(({ page }) => page.data.map(({ id }) => id))]).toEqual([query, all]);
      }
    }
  },
  "links lead back and forward between two pages that have one record left each": async (_, service) => {
    for (const query of ["", "sort=asc", "search=site", "search=site&sort=asc"]) {
      const caller = await withWebsites(service, 12);
      const first = await caller.get(`${websites}?${query}`);
      const [kept, ...others] = (await follow(caller, first.page.links.next)).data.map(({ id }) => id);
      for (const id of [...first.ids.slice(0, -1), ...others]) await caller.call("DELETE", `${websites}/${id}`);
      const second = await follow(caller, first.page.links.next);
      const back = await follow(caller, second.links.prev);
      const again = await follow(caller, back.links.next);
      const ids = [back, again].map(({ data }) => data.map(({ id }) => id));
      expect([query, ...ids]).toEqual([query, first.ids.slice(-1), [kept]]);
    }
  },
  "following links neither repeats nor skips a record while others are created and deleted": async (_, service) => {
    const caller = await withWebsites(service, 50);
    const seen: number[] = [];
    let next: string | null = `${caller.account.baseUrl}${websites}`;
    for (let round = 0; next !== null; round += 1) {
      const { data, links }: Awaited<ReturnType<typeof follow>> = await follow(caller, next);
      seen.push(...data.map(({ id }) => id));
      // The last record seen, one far ahead, and a new one before all others.
      await caller.call("DELETE", `${websites}/${data.at(-1)?.id}`);
      await caller.call("DELETE", `${websites}/${round + 1}`);
      await caller.createAll([`new-${round}.example`]);
      next = links.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(
      range(1, 50)
        .reverse()
        .filter((id) => seen.includes(id)),
    );
    expect(range(6, 50).filter((id) => !seen.includes(id))).toEqual([]);
  },
  "a cursor belongs to one list, and works with another number of records": async (_, service) => {
    const caller = await withWebsites(service, 40);
    const cursor = (await caller.get(websites)).page.meta.next_cursor;
    for (const same of ["", "&search="]) {
      const { ids } = await caller.get(`${websites}?cursor=${cursor}&per_page=25${same}`);
      expect(ids).toEqual(range(6, 30).reverse());
    }
    const found = (await caller.get(`${websites}?search=Site`)).page.meta.next_cursor;
    expect((await caller.get(`${websites}?search=sITE&cursor=${found}`)).ids).toEqual(range(21, 30).reverse());
    const ofAnother = /^belongs to a list with another search, sort_by or sort; /;
    for (const [query, message] of [
      ["sort=asc", ofAnother],
      ["sort_by=domain", ofAnother],
      ["search=site", ofAnother],
      ["sort_by=domain&sort=asc&search=site", ofAnother],
      ["page=1", /^cannot be combined with page; send only one of the two$/],
    ] as const) {
      const { fieldErrors } = await caller.get(`${websites}?${query}&cursor=${cursor}`);
      expect([query, fieldErrors]).toEqual([query, { cursor: [expect.stringMatching(message)] }]);
    }
  },
  "a string that is not a cursor is refused, also with a character more, less or changed": async (_, service) => {
    const caller = await withWebsites(service, 12);
    const others: string[] = [...notCursors];
    // In base64, the last character of each of them has another number of bits.
    for (const search of ["s", "si", "sit"]) {
      const cursor = (await caller.get(`${websites}?search=${search}`)).page.meta.next_cursor ?? "";
      const start = cursor.slice(0, -1);
      others.push(start, start + String.fromCharCode(cursor.charCodeAt(start.length) + 1), ` ${cursor}`);
      others.push(...[..."xgIKA=. "].map((character) => cursor + character));
    }
    for (const cursor of others) {
      const { fieldErrors } = await caller.get(`${websites}?${new URLSearchParams({ cursor })}`);
      expect([cursor, fieldErrors]).toEqual([cursor, { cursor: [expect.stringMatching(/^is not a valid cursor; /)] }]);
    }
    for (const key of ["\u0000", "x".repeat(254), 1]) {
      const cursor = cursorOf([1, "domain.desc", "forward", "after", key]);
      expect((await caller.get(`${websites}?sort_by=domain&cursor=${cursor}`)).refusedNames).toEqual(["cursor"]);
    }
  },
  "a cursor that was written by hand reaches only the caller's own list": async (_, service) => {
    const [caller, other] = [await withWebsites(service, 1), await withWebsites(service, 3)];
    for (const key of [-1, 0, Number.MAX_SAFE_INTEGER]) {
      const answer = await caller.get(`${websites}?cursor=${cursorOf([1, "id.desc", "forward", "after", key])}`);
      expect([answer.status, answer.ids.filter((id) => id !== 1)]).toEqual([200, []]);
    }
    // Plain base64 has other characters for these.
    for (const search of ["???", ">>>"]) {
      const cursor = cursorOf([1, `id.desc.${search}`, "forward", "after", 1]);
      expect((await caller.get(`${websites}?${new URLSearchParams({ search, cursor })}`)).ids).toEqual([]);
    }
    expect(await other.count()).toBe(3);
  },
};

function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}
