import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const one = `${websites}/1`;

export const deleting: Guarantees = {
  "a delete answers without content, and the website is gone from the list, the count and its URL": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const answer = await caller.call("DELETE", one);
    expect([answer.status, answer.text, answer.header("Content-Type")]).toEqual([204, "", null]);
    expect((await caller.get(websites)).page).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await caller.count()).toBe(0);
    for (const method of ["DELETE", "GET", "PUT"]) {
      const missing = await caller.call(method, one);
      expect([...missing.refusal, missing.problem.detail]).toEqual([404, "not_found", "No website has this ID."]);
    }
  },
  "the domain of a deleted website is free again, and its ID is never used again": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example", "b.example"]);
    await caller.call("DELETE", `${websites}/2`);
    expect((await caller.create({ domain: "b.example" })).website.id).toBe(3);
    for (const id of [3, 1]) await caller.call("DELETE", `${websites}/${id}`);
    expect((await caller.create({ domain: "b.example" })).website.id).toBe(4);
    expect((await caller.get(`${websites}/2`)).refusal).toEqual([404, "not_found"]);
  },
};
