import type { WebsitePage } from "@siteward/contract";
import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { range, walk } from "./lists.ts";

/** What a client that follows the changes of an account can rely on. */
export const changes: Guarantees = {
  "changes since a page are the websites that were created or updated after it, in the order of their newest changes":
    async (caller) => {
      await caller.createAll(["a.example", "b.example", "c.example"]);
      const cursor = await newest(caller);
      await caller.put(`${websites}/2`, { email: 1 });
      await caller.createAll(["d.example"]);
      await caller.put(`${websites}/1`, { privacy: 1 });
      await caller.put(`${websites}/2`, { privacy: 1 });
      const { data, meta } = (await since(caller, cursor)).page;
      expect(data.map(({ id }) => id)).toEqual([4, 1, 2]);
      for (const website of data) expect(website).toEqual((await caller.get(`${websites}/${website.id}`)).website);
      const page = { current_page: null, last_page: null, prev_cursor: null, next_cursor: null };
      expect(meta).toMatchObject({ ...page, total: 4, total_relation: "eq", per_page: 10, deleted_ids: [] });
    },
  "the IDs of deleted websites are told, also of those that were created since": async (caller) => {
    await caller.createAll(["a.example", "b.example"]);
    const cursor = await newest(caller);
    await caller.createAll(["c.example"]);
    for (const id of [3, 1]) await caller.call("DELETE", `${websites}/${id}`);
    await caller.put(`${websites}/2`, { email: 1 });
    const { data, meta } = (await since(caller, cursor)).page;
    expect([data.map(({ id }) => id), meta.deleted_ids, meta.total]).toEqual([[2], [3, 1], 1]);
  },
  "nothing new is a 304 whose entity tag is the cursor, and without the tag an empty page with the same cursor": async (
    caller,
  ) => {
    for (const create of [false, true]) {
      if (create) await caller.createAll(["a.example"]);
      const cursor = await newest(caller);
      const empty = await since(caller, cursor);
      const { data, meta, links } = empty.page;
      expect([data, meta.deleted_ids, meta.changes_cursor, meta.next_cursor, links.next]).toEqual([
        ...[[], [], cursor, null, null],
      ]);
      expect([meta.total, empty.etag]).toEqual([create ? 1 : 0, `"${cursor}"`]);
      const same = await since(caller, cursor, `"${cursor}"`);
      expect([same.status, same.text, same.etag]).toEqual([304, "", `"${cursor}"`]);
      await caller.put(`${websites}/1`, { email: 0 });
      expect((await since(caller, cursor, `"${cursor}"`)).status).toBe(304);
    }
    const cursor = await newest(caller);
    await caller.put(`${websites}/1`, { email: 1 });
    const changed = await since(caller, cursor, `"${cursor}"`);
    expect([changed.status, changed.ids]).toEqual([200, [1]]);
  },
  "more changes than a page has are followed by its links, and every change is on a page": async (caller) => {
    const cursor = await newest(caller);
    await caller.createAll(Array.from({ length: 23 }, (_, index) => `${index + 1}.example`));
    for (let id = 1; id <= 12; id += 1) await caller.call("DELETE", `${websites}/${id}`);
    const first = `${caller.account.baseUrl}${websites}?changed_since=${cursor}`;
    const pages = (await walk(caller, first, "next")).map(({ page }) => page);
    expect(pages.map(toIds)).toEqual([
      [[], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
      [
        [13, 14, 15, 16, 17, 18, 19, 20],
        [11, 12],
      ],
      [
        [21, 22, 23],
        [1, 2, 3, 4, 5, 6, 7],
      ],
      [[], [8, 9, 10, 11, 12]],
    ]);
    for (const { meta, links } of pages) {
      expect(links.first).toBe(first);
      expect(meta.changes_cursor).toBe(meta.next_cursor ?? (await newest(caller)));
      expect((await since(caller, meta.changes_cursor)).status).toBe(200);
    }
    const all = (await caller.get(`${websites}?changed_since=${cursor}&per_page=100`)).page;
    expect(toIds(all)).toEqual([pages.flatMap(({ data }) => data.map(({ id }) => id)), range(1, 12)]);
  },
  "every page of a list and of a search says where to continue, never after what it shows": async (caller) => {
    await caller.createAll(Array.from({ length: 12 }, (_, index) => `site-${index}.example`));
    const cursor = await newest(caller);
    const queries = ["page=2", "page=9", "sort_by=domain&sort=asc", "search=site-1", "search=none", "search=%C3%9F%20"];
    for (const query of queries) expect([query, await newest(caller, query)]).toEqual([query, cursor]);
    const [, second] = await walk(caller, `${caller.account.baseUrl}${websites}`, "next");
    expect(second?.page.meta.changes_cursor).toBe(cursor);
  },
  "pages of changes can have the entity tags of their records": async (caller) => {
    const cursor = await newest(caller);
    await caller.createAll(["a.example", "b.example"]);
    const { etag } = await caller.put(`${websites}/1`, { email: 1 });
    const { meta } = (await caller.get(`${websites}?changed_since=${cursor}&entity_tags=1`)).page;
    expect(meta.entity_tags).toEqual([(await caller.get(`${websites}/2`)).etag, etag]);
  },
  "two pages of changes with the same entity tag are equal": async (caller) => {
    const cursors = [await newest(caller)];
    const texts = new Map<string, string>();
    await caller.createAll(Array.from({ length: 11 }, (_, index) => `${index}.example`));
    for (const [method, path, json] of [
      ["PUT", `${websites}/1`, { email: 1 }],
      ["PUT", `${websites}/11`, { email: 1 }],
      ["DELETE", `${websites}/2`, undefined],
      ["PUT", `${websites}/1`, { email: 1 }],
    ] as const) {
      cursors.push(await newest(caller));
      await caller.call(method, path, json === undefined ? {} : { json });
      for (const cursor of cursors) {
        const answer = await since(caller, cursor);
        const key = `${cursor} ${answer.header("ETag")}`;
        expect(answer.text).toBe(texts.get(key) ?? answer.text);
        texts.set(key, answer.text);
        expect((await since(caller, cursor, answer.header("ETag") ?? "")).status).toBe(304);
      }
    }
    expect(texts.size).toBe(10);
  },
  "a change that alters nothing, and a refused one, is no change": async (_, service) => {
    const caller = new Caller(service, { websiteLimit: 1 });
    await caller.createAll(["a.example"]);
    const cursor = await newest(caller);
    await caller.put(`${websites}/1`, { email: 0, exclude_ips: [] });
    await caller.put(`${websites}/1`, { email: 3 });
    await caller.put(`${websites}/1`, { email: 1 }, { "If-Match": '"0"' });
    await caller.create({ domain: "a.example" });
    await caller.create({ domain: "b.example" });
    await caller.call("DELETE", `${websites}/2`);
    expect(await newest(caller)).toBe(cursor);
  },
  "a cursor that was never given, or is of another account, is expired": async (caller, service) => {
    const other = new Caller(service);
    await caller.createAll(["a.example", "b.example"]);
    service.advanceClock(5);
    await other.createAll(["a.example", "b.example", "c.example"]);
    const [kind, version, accountId, number, at] = partsOf(await newest(caller));
    const wrong = [
      [accountId, number, Number(at) + 1],
      [accountId, Number(number) + 1, at],
      [accountId, Number.MAX_SAFE_INTEGER, at],
      [accountId, 1, Number(at) - 1],
      [accountId, 0, 7],
      [Number(accountId) + 1, number, at],
    ];
    const texts = wrong.map((parts) => cursorOf([kind, version, ...parts]));
    for (const cursor of [...texts, ...(other.account.id === caller.account.id ? [] : [await newest(other)])]) {
      const first = await since(caller, cursor);
      expect([partsOf(cursor), ...first.refusal]).toEqual([partsOf(cursor), 410, "cursor_expired"]);
      const later = await caller.get(`${websites}?changed_since=${await newest(caller)}&cursor=${cursor}`);
      expect(later.refusal).toEqual([410, "cursor_expired"]);
    }
  },
  "a string that is not a cursor of changes is refused, as is one of a list, and one of changes by a list": async (
    caller,
  ) => {
    await caller.createAll(Array.from({ length: 11 }, (_, index) => `${index}.example`));
    const { changes_cursor: good, next_cursor: ofList } = (await caller.get(websites)).page.meta;
    const [kind, version, accountId, number, at] = partsOf(good);
    const texts = [
      ...["", "x", "%00", "W10", "x".repeat(5000), ofList ?? "", `${good}x`, `${good}=`, good.slice(0, -1)],
      ...[[], [kind], [kind, 2, accountId, number, at], [1, kind, accountId, number, at]].map(cursorOf),
      ...[-1, 1.5, "1", null, 2 ** 53].map((wrong) => cursorOf([kind, version, accountId, wrong, at])),
      ...[-1, 1.5, "1", null, 2 ** 53].map((wrong) => cursorOf([kind, version, accountId, number, wrong])),
    ];
    for (const text of texts) {
      const sent = encodeURIComponent(text);
      const refused = (name: string) => ({ [name]: [expect.stringMatching(/^is not a valid cursor; /)] });
      expect((await since(caller, sent)).fieldErrors).toEqual(refused("changed_since"));
      const later = await caller.get(`${websites}?changed_since=${good}&cursor=${sent}`);
      expect(later.fieldErrors).toEqual(refused("cursor"));
    }
    expect((await caller.get(`${websites}?cursor=${good}`)).refusedNames).toEqual(["cursor"]);
  },
  "changes cannot be searched, sorted or numbered, and a page of them has as many changes as asked for": async (
    caller,
  ) => {
    const cursor = await newest(caller);
    for (const other of ["search=a", "sort_by=id", "sort=desc", "page=1"]) {
      const answer = await caller.get(`${websites}?changed_since=${cursor}&${other}`);
      expect([other, answer.refusedNames]).toEqual([other, [other.split("=")[0]]]);
    }
    await caller.createAll(Array.from({ length: 26 }, (_, index) => `${index}.example`));
    for (const size of [10, 25, 50]) {
      const { ids } = await caller.get(`${websites}?changed_since=${cursor}&per_page=${size}`);
      expect(ids).toEqual(range(1, Math.min(size, 26)));
    }
  },
  "changes that are made at the same time are all told, in an order without gaps": async (caller) => {
    const cursor = await newest(caller);
    const seen = new Set<number>();
    let position = cursor;
    const follow = async () => {
      const { data, meta } = (await caller.get(`${websites}?changed_since=${position}&per_page=100`)).page;
      for (const { id } of data) seen.add(id);
      for (const id of meta.deleted_ids ?? []) seen.add(id);
      position = meta.changes_cursor;
    };
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; count < 6; count += 1) {
          const { website } = await caller.create({ domain: `${writer}-${count}.example` });
          await caller.put(`${websites}/${website.id}`, { email: 1 });
          if (count % 3 === 0) await caller.call("DELETE", `${websites}/${website.id}`);
        }
      }),
    );
    let isWriting = true;
    void writing.finally(() => {
      isWriting = false;
    });
    while (isWriting) await follow();
    await writing;
    await follow();
    expect([...seen].sort((left, right) => left - right)).toEqual(range(1, 48));
    const [, , , number] = partsOf(position);
    expect(number).toBe(48 + 48 + 16);
  },
};

/** Returns the cursor of a page of a list. */
async function newest(caller: Caller, query = ""): Promise<string> {
  return (await caller.get(`${websites}?${query}`)).page.meta.changes_cursor;
}

function since(caller: Caller, cursor: string, tag?: string) {
  return caller.get(`${websites}?changed_since=${cursor}`, tag === undefined ? {} : { "If-None-Match": tag });
}

function toIds({ data, meta }: WebsitePage) {
  return [data.map(({ id }) => id), meta.deleted_ids];
}

function partsOf(cursor: string): unknown[] {
  return JSON.parse(Buffer.from(cursor, "base64url").toString());
}

function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}
