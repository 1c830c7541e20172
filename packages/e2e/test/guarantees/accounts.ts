import { expect } from "vitest";
import { accountPath, Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { readSamePages } from "./unchanged.ts";

export const account: Guarantees = {
  "the account has exactly the documented fields, with the key of the request but not its secret": async (
    caller,
    service,
  ) => {
    const answer = await caller.get(accountPath);
    const now = new Date(service.nowMs()).toISOString();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      data: {
        id: caller.account.id,
        name: "Test",
        email: "test@example.com",
        websites: { count: 0, limit: null },
        created_at: now,
        updated_at: now,
        api_key: {
          name: "test",
          prefix: caller.key.slice(0, 12),
          scopes: ["websites:read", "websites:write", "account:read"],
          created_at: now,
          expires_at: null,
          last_used_at: null,
        },
      },
    });
    expect(answer.text).not.toContain(caller.key);
  },
  "the account has its own counts and limit, and the scopes and the expiry of the key": async (_, service) => {
    const [caller, other] = [new Caller(service, { websiteLimit: 7 }), new Caller(service)];
    await caller.createAll(["a.example", "b.example"]);
    const key = caller.account.createApiKey({ scopes: ["account:read"], expiresInMs: 60_000 });
    const { id, websites: counts, api_key } = (await caller.call("GET", accountPath, { key })).account;
    expect(id).toBe(caller.account.id);
    expect(counts).toEqual({ count: 2, limit: 7 });
    expect(api_key).toMatchObject({
      prefix: key.slice(0, 12),
      scopes: ["account:read"],
      created_at: new Date(service.nowMs()).toISOString(),
      expires_at: new Date(service.nowMs() + 60_000).toISOString(),
    });
    expect((await other.get(accountPath)).account).toMatchObject({
      id: other.account.id,
      websites: { count: 0, limit: null },
    });
  },
};

export const accounts: Guarantees = {
  "accounts do not see each other's websites, count them, or keep each other from a domain": async (one, service) => {
    const other = new Caller(service);
    await one.createAll(["a.example", "b.example"]);
    expect((await other.get(`${websites}?search=example`)).page).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await other.count()).toBe(0);
    const created = await other.create({ domain: "a.example" });
    expect([created.status, created.website]).toMatchObject([201, { id: 1, domain: "a.example" }]);
    expect((await one.get(websites)).ids).toEqual([2, 1]);
  },
  "the ID of another account gets the same answer as an ID that was never used": async (caller, service) => {
    const other = new Caller(service);
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
  "a cursor of another account lists only the caller's own websites": async (caller, service) => {
    const other = new Caller(service);
    await other.createAll(Array.from({ length: 11 }, (_, index) => `other-${index}.example`));
    await caller.createAll(Array.from({ length: 11 }, (_, index) => `own-${index}.example`));
    const cursor = (await other.get(websites)).page.meta.next_cursor;
    const { data } = (await caller.get(`${websites}?cursor=${cursor}`)).page;
    expect(data.map(({ domain }) => domain)).toEqual(["own-0.example"]);
  },
  "the entity tag of a record matches no record of another account, even if both have the same URL": async (
    caller,
    service,
  ) => {
    const other = new Caller(service);
    const { etag } = await caller.create({ domain: "a.example" });
    await other.createAll(["b.example"]);
    const path = `${websites}/1`;
    expect((await other.get(path)).etag).not.toBe(etag);
    expect((await other.get(path, { "If-None-Match": etag })).status).toBe(200);
    expect((await other.put(path, { email: 1 }, { "If-Match": etag })).status).toBe(412);
    expect((await other.call("DELETE", path, { headers: { "If-Match": etag } })).status).toBe(412);
  },
  "two pages of lists with the same entity tag are equal, also if they are of two accounts": async (_, service) => {
    expect(await readSamePages([new Caller(service), new Caller(service)])).toBeGreaterThan(30);
  },
};
