import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { readSamePages } from "./same-pages.ts";

export const accounts: Guarantees = {
  "accounts do not see each other's websites, count them, or keep each other from a domain": async (service) => {
    const [one, other] = [new Caller(service), new Caller(service)];
    await one.createAll(["a.example", "b.example"]);
    expect((await other.get(`${websites}?search=example`)).page).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await other.count()).toBe(0);
    const created = await other.create({ domain: "a.example" });
    expect([created.status, created.website]).toMatchObject([201, { id: 1, domain: "a.example" }]);
    expect((await one.get(websites)).ids).toEqual([2, 1]);
  },
  "the ID of another account gets the same answer as an ID that was never used, whatever is sent about a password":
    async (service) => {
      const [caller, other] = [new Caller(service), new Caller(service)];
      await other.createAll(["a.example"]);
      await other.create({ domain: "b.example", privacy: 2, password: "long enough" });
      for (const id of [1, 2]) {
        const { text } = await other.get(`${websites}/${id}`);
        for (const [method, json] of [
          ["GET"],
          ["DELETE"],
          ["PUT", { email: 1 }],
          ["PUT", { privacy: 2, password: "correct horse" }],
          ["PUT", { privacy: 2 }],
          ["PUT", { password: "correct horse" }],
        ] as const) {
          const options = { headers: { "X-Request-Id": "same" }, ...(json === undefined ? {} : { json }) };
          const expected = await caller.call(method, `${websites}/4711`, options);
          const answer = await caller.call(method, `${websites}/${id}`, options);
          expect([...answer.refusal, answer.text]).toEqual([404, "not_found", expected.text]);
        }
        expect((await other.get(`${websites}/${id}`)).text).toBe(text);
      }
    },
  "a cursor of another account lists only the caller's own websites": async (service) => {
    const [caller, other] = [new Caller(service), new Caller(service)];
    await other.createAll(Array.from({ length: 11 }, (_, index) => `other-${index}.example`));
    await caller.createAll(Array.from({ length: 11 }, (_, index) => `own-${index}.example`));
    const cursor = (await other.get(websites)).page.meta.next_cursor;
    const { data } = (await caller.get(`${websites}?cursor=${cursor}`)).page;
    expect(data.map(({ domain }) => domain)).toEqual(["own-0.example"]);
  },
  "the entity tag of a record matches no record of another account, even if both have the same URL": async (
    service,
  ) => {
    const [caller, other] = [new Caller(service), new Caller(service)];
    const { etag } = await caller.create({ domain: "a.example" });
    await other.createAll(["b.example"]);
    const path = `${websites}/1`;
    expect((await other.get(path)).etag).not.toBe(etag);
    expect((await other.get(path, { "If-None-Match": etag })).status).toBe(200);
    expect((await other.put(path, { email: 1 }, { "If-Match": etag })).status).toBe(412);
    expect((await other.call("DELETE", path, { headers: { "If-Match": etag } })).status).toBe(412);
  },
  "two pages of lists with the same entity tag are equal, also if they are of two accounts": async (service) => {
    expect(await readSamePages([new Caller(service), new Caller(service)])).toBeGreaterThan(30);
  },
};
