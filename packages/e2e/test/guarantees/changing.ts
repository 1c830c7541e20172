import type { Service } from "@siteward/testing/services/service";
import { expect } from "vitest";
import { Caller, type CallOptions, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const initial = {
  domain: "example.com",
  privacy: 1,
  email: 1,
  exclude_bots: 0,
  exclude_params: "gclid",
  exclude_ips: "203.0.113.7",
};

/** Updates that change nothing of {@link initial}. */
const withoutChange: readonly CallOptions[] = [
  {},
  { form: "" },
  { json: {} },
  { body: "", headers: { "Content-Type": "application/json" } },
  { json: { email: 1 } },
  { json: { email: "1", exclude_params: ["gclid"] } },
  { form: "privacy=1&email=1&exclude_bots=0&exclude_params=gclid&exclude_ips=203.0.113.7/32" },
];

/** The spellings of an empty list. */
const emptyLists: ReadonlyArray<readonly [field: "exclude_params" | "exclude_ips", options: CallOptions]> = [
  ["exclude_params", { form: "exclude_params=" }],
  ["exclude_ips", { form: "exclude_ips=" }],
  ["exclude_params", { form: "exclude_params[]=" }],
  ["exclude_ips", { json: { exclude_ips: [] } }],
  ["exclude_ips", { json: { exclude_ips: " \n , " } }],
];

export const updating: Guarantees = {
  "an update changes only the fields that it has, and a read gets the same answer": async (_, service) => {
    for (const [field, value] of [
      ["privacy", 0],
      ["email", 0],
      ["exclude_bots", 1],
      ["exclude_params", ["utm_*"]],
      ["exclude_ips", ["2001:db8::/32", "203.0.113.*"]],
    ] as const) {
      const caller = await withWebsite(service);
      const before = await caller.get(one);
      const updated = await caller.put(one, { [field]: value });
      expect([updated.status, updated.website]).toEqual([
        200,
        { ...before.website, [field]: value, updated_at: updated.website.updated_at },
      ]);
      expect(updated.etag).not.toBe(before.etag);
      const read = await caller.get(one);
      expect([read.text, read.etag]).toEqual([updated.text, updated.etag]);
    }
  },
  "an update without fields, or with the values that the website has, changes neither the record nor its entity tag":
    async (_, service) => {
      const caller = await withWebsite(service);
      const before = await caller.get(one);
      for (const options of withoutChange) {
        const updated = await caller.call("PUT", one, options);
        expect([options, updated.status, updated.text, updated.etag]).toEqual([options, 200, before.text, before.etag]);
      }
    },
  "an empty value clears a list": async (_, service) => {
    for (const [field, options] of emptyLists) {
      const caller = await withWebsite(service);
      const before = (await caller.get(one)).website;
      const updated = (await caller.call("PUT", one, options)).website;
      expect([options, updated]).toEqual([options, { ...before, [field]: [], updated_at: updated.updated_at }]);
    }
  },
  "every change sets a new strong entity tag, and changing back does not restore an old one": async (_, service) => {
    const caller = await withWebsite(service);
    const tags = [(await caller.get(one)).etag];
    for (const email of [0, 1, 0]) tags.push((await caller.put(one, { email })).etag);
    expect(new Set(tags).size).toBe(4);
  },
  "an update is checked before the website is looked up": async (caller) => {
    expect((await caller.put(one, { email: 7 })).refusal).toEqual([422, "validation_failed"]);
    expect((await caller.put(one, { email: 7, privacy: 2 })).refusal).toEqual([422, "validation_failed"]);
    expect((await caller.put(one, { password: "correct horse" })).refusal).toEqual([404, "not_found"]);
    expect((await caller.put(one, { email: 1 })).refusal).toEqual([404, "not_found"]);
  },
};

export const deleting: Guarantees = {
  "a delete answers without content, and the website is gone from the list, the count and its URL": async (caller) => {
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
  "the domain of a deleted website is free again, and its ID is never used again": async (caller) => {
    await caller.createAll(["a.example", "b.example"]);
    await caller.call("DELETE", `${websites}/2`);
    expect((await caller.create({ domain: "b.example" })).website.id).toBe(3);
    for (const id of [3, 1]) await caller.call("DELETE", `${websites}/${id}`);
    expect((await caller.create({ domain: "b.example" })).website.id).toBe(4);
    expect((await caller.get(`${websites}/2`)).refusal).toEqual([404, "not_found"]);
  },
};

async function withWebsite(service: Service): Promise<Caller> {
  const caller = new Caller(service);
  await caller.create(initial);
  return caller;
}
