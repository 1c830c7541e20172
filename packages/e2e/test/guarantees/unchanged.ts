import { expect } from "vitest";
import { accountPath, Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

/** Lists whose pages must be the same as long as their entity tag is. */
const lists = ["", "?page=2", "?search=b.ex", "?sort_by=domain&sort=asc"];

/** What a 304 means: nothing that the client has read has changed. */
export const unchanged: Guarantees = {
  "a 304 says how many requests the key may still send, as every answer does": async (service) => {
    const caller = new Caller(service);
    const { etag } = await caller.create({ domain: "a.example" });
    const key = caller.account.createApiKey({ rateLimit: 100 });
    for (const [header, status] of [
      ["If-None-Match", 304],
      ["If-Match", 200],
    ] as const) {
      const answer = await caller.call("GET", `${websites}/1`, { key, headers: { [header]: etag } });
      expect(answer.status).toBe(status);
      expect(answer.header("RateLimit-Policy")).toBe('"default";q=100;w=60');
      expect(answer.header("RateLimit")).toMatch(/^"default";r=\d+;t=\d+$/);
    }
  },
  "two pages of lists with the same entity tag are equal, after any change of any account": async (service) => {
    const callers = [new Caller(service), new Caller(service)] as const;
    const texts = new Map<string, string>();
    const readAll = async () => {
      for (const [index, caller] of callers.entries()) {
        for (const list of lists) {
          const page = await caller.get(`${websites}${list}`);
          const tag = page.header("ETag") ?? "";
          expect(tag).toMatch(/^W\/"[^"]+"$/);
          const known = texts.get(`${index} ${list} ${tag}`) ?? page.text;
          expect(page.text).toBe(known);
          texts.set(`${index} ${list} ${tag}`, known);
          expect((await caller.get(`${websites}${list}`, { "If-None-Match": tag })).status).toBe(304);
        }
      }
    };
    const [caller, other] = callers;
    await readAll();
    for (let count = 1; count <= 12; count += 1) {
      await caller.createAll([`${count}.${"ab"[count % 2]}.example`]);
      await other.createAll([`${count}.b.example`]);
      if (count <= 2 || count >= 10) await readAll();
    }
    for (const [method, id, json] of [
      ["PUT", 1, { email: 1 }],
      ["PUT", 2, { privacy: 1 }],
      ["PUT", 1, { email: 0 }],
      ["DELETE", 2, undefined],
      ["DELETE", 3, undefined],
    ] as const) {
      await caller.call(method, `${websites}/${id}`, json === undefined ? {} : { json });
      await readAll();
    }
    expect(texts.size).toBeGreaterThan(30);
  },
  "the entity tag of the account belongs to one key, and changes with the number of websites": async (service) => {
    const caller = new Caller(service);
    const tag = (await caller.get(accountPath)).header("ETag") ?? "";
    const again = (key = caller.key) => caller.call("GET", accountPath, { key, headers: { "If-None-Match": tag } });
    expect((await again()).status).toBe(304);
    expect((await again(caller.account.createApiKey())).status).toBe(200);
    await caller.createAll(["example.com"]);
    expect((await again()).accountData.websites.count).toBe(1);
  },
};
