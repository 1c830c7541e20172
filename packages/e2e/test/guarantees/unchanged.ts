import { expect } from "vitest";
import { accountPath, Caller } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { readSamePages } from "./same-pages.ts";

/** What a 304 means: nothing that the client has read has changed. */
export const unchanged: Guarantees = {
  "two pages of lists with the same entity tag are equal, after any change": async (service) => {
    expect(await readSamePages([new Caller(service)])).toBeGreaterThan(15);
  },
  "the entity tag of the account belongs to one key, and changes with the number of websites": async (service) => {
    const caller = new Caller(service);
    const tag = (await caller.get(accountPath)).header("ETag") ?? "";
    const again = (key = caller.key) => caller.call("GET", accountPath, { key, headers: { "If-None-Match": tag } });
    expect((await again()).status).toBe(304);
    expect((await again(caller.account.createApiKey())).status).toBe(200);
    await caller.createAll(["example.com"]);
    expect((await again()).account.websites.count).toBe(1);
  },
};
