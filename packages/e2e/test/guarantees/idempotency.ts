import { randomUUID } from "node:crypto";
import type { Answer } from "@siteward/testing/answer";
import { expect } from "vitest";
import { Caller, type CallOptions, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const key = { "Idempotency-Key": "import-42" };
const locked = { domain: "b.example", privacy: 2, password: "correct horse" };

/** Requests whose refusal does not use up their key, with its status. */
const refusals: ReadonlyArray<readonly [status: number, options: CallOptions]> = [
  [401, { key: null, json: { domain: "a.example" } }],
  [400, { body: "{", headers: { "Content-Type": "application/json" } }],
  [413, { form: `domain=${"x".repeat(70_000)}` }],
  [415, { body: "a", headers: { "Content-Type": "text/plain" } }],
  [422, { json: { domain: "not a domain" } }],
  [422, { json: null }],
  [422, { json: "domain=a.example" }],
  [422, { json: ["a.example"] }],
  [422, {}],
];

export const idempotency: Guarantees = {
  "a create that is repeated gets the same answer, and creates nothing": async (_, service) => {
    for (const fields of [
      { domain: "a.example" },
      { domain: "a.example", exclude_params: ["utm_*", 'a"ä'], exclude_ips: ["2001:DB8::1"], email: 1 },
      locked,
    ]) {
      const caller = new Caller(service);
      const first = await caller.create(fields, key);
      expect([first.status, first.header("Idempotency-Replayed")]).toEqual([201, null]);
      const again = await caller.create(fields, key);
      expect([again.header("Idempotency-Replayed"), shown(again)]).toEqual(["true", shown(first)]);
      expect(await caller.count()).toBe(1);
      expect((await caller.create({ domain: "next.example" }, { "Idempotency-Key": "k2" })).website.id).toBe(2);
    }
  },
  "a create that is repeated gets the first answer, even if the website was changed or deleted since": async (
    caller,
  ) => {
    const fields = { domain: "a.example", exclude_params: ["utm_*"] };
    const first = await caller.create(fields, key);
    await caller.put(`${websites}/1`, { email: 1, exclude_params: [] });
    expect(shown(await caller.create(fields, key))).toEqual(shown(first));
    await caller.call("DELETE", `${websites}/1`);
    expect(shown(await caller.create(fields, key))).toEqual(shown(first));
    expect((await caller.get(websites)).page.data).toEqual([]);
  },
  "a form says the same as JSON, with its fields in any order": async (caller) => {
    const lists = { exclude_ips: ["192.0.2.1"], exclude_params: ["a", "b"] };
    const first = await caller.create({ ...locked, email: 1, ...lists }, key);
    const form =
      "exclude_params=a&exclude_params=b&password=correct+horse&email=1&exclude_ips=192.0.2.1&privacy=2&domain=b.example";
    const again = await caller.call("POST", websites, { form, headers: key });
    expect([again.header("Idempotency-Replayed"), shown(again)]).toEqual(["true", shown(first)]);
  },
  "the same key with other fields, another password or another path gets a 422, and creates nothing": async (
    caller,
  ) => {
    await caller.create(locked, key);
    const answers = [
      await caller.create({ domain: "c.example" }, key),
      await caller.create({ ...locked, domain: "c.example" }, key),
      await caller.create({ ...locked, domain: "B.example" }, key),
      await caller.create({ ...locked, email: 0 }, key),
      await caller.create({ ...locked, password: "correct house" }, key),
      await caller.call("POST", `${websites}?x=1`, { json: locked, headers: key }),
    ];
    for (const answer of answers) {
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[422, "idempotency_key_reused"],
        "This idempotency key was first sent with another request. Use a new key for a new request.",
      ]);
    }
    expect(await caller.count()).toBe(1);
  },
  "a taken domain and a full account are refused again, even after the one is free and the other has room": async (
    _,
    service,
  ) => {
    for (const [fields, options, refusal] of [
      [{ domain: "a.example" }, {}, [409, "domain_taken"]],
      [locked, { websiteLimit: 1 }, [403, "website_limit_reached"]],
    ] as const) {
      const caller = new Caller(service, options);
      await caller.createAll(["a.example"]);
      const first = await caller.create(fields, key);
      expect([...first.refusal, first.header("Idempotency-Replayed")]).toEqual([...refusal, null]);
      await caller.call("DELETE", `${websites}/1`);
      const again = await caller.create(fields, key);
      expect([again.status, again.header("Idempotency-Replayed")]).toEqual([first.status, "true"]);
      expect({ ...again.problem, request_id: "" }).toEqual({ ...first.problem, request_id: "" });
      expect((await caller.create(fields, { "Idempotency-Key": "another" })).status).toBe(201);
    }
  },
  "every other refusal leaves the key unused": async (caller) => {
    const reader = caller.account.createApiKey({ scopes: ["websites:read"] });
    const all = [...refusals, [403, { key: reader, json: { domain: "a.example" } }] as const];
    for (const [index, [status, options]] of all.entries()) {
      const unused = { "Idempotency-Key": `key-${index}` };
      const refused = await caller.call("POST", websites, { ...options, headers: { ...options.headers, ...unused } });
      expect([options, refused.status]).toEqual([options, status]);
      expect(refused.problem.code).not.toBe("idempotency_key_reused");
      const created = await caller.create({ domain: `site-${index}.example` }, unused);
      expect([created.status, created.header("Idempotency-Replayed")]).toEqual([201, null]);
    }
  },
  "a create is replayed for another API key of the account, but not if it has a password": async (caller) => {
    const other = caller.account.createApiKey();
    const first = await caller.create({ domain: "a.example" }, key);
    const again = await caller.call("POST", websites, { json: { domain: "a.example" }, headers: key, key: other });
    expect(shown(again)).toEqual(shown(first));
    const secret = { "Idempotency-Key": "secret" };
    await caller.create(locked, secret);
    expect((await caller.create(locked, secret)).header("Idempotency-Replayed")).toBe("true");
    const refused = await caller.call("POST", websites, { json: locked, headers: secret, key: other });
    expect(refused.refusal).toEqual([422, "idempotency_key_reused"]);
  },
  "keys of different accounts are independent": async (_, service) => {
    for (const caller of [new Caller(service), new Caller(service)]) {
      const answer = await caller.create({ domain: "a.example" }, key);
      expect([answer.status, answer.header("Idempotency-Replayed")]).toEqual([201, null]);
    }
  },
  "a key of 1 to 255 visible ASCII characters is accepted": async (_, service) => {
    for (const text of [randomUUID(), "!", '"8e03978e"', "~".repeat(255)]) {
      const caller = new Caller(service);
      const replayed = [];
      for (let count = 0; count < 2; count += 1) {
        const answer = await caller.create({ domain: "a.example" }, { "Idempotency-Key": text });
        replayed.push([answer.status, answer.header("Idempotency-Replayed")]);
      }
      expect(replayed).toEqual([
        [201, null],
        [201, "true"],
      ]);
    }
  },
  "any other key gets a 400, and creates nothing": async (caller) => {
    for (const text of ["", "a b", "ü", "cl\u00e9", "x".repeat(256)]) {
      const answer = await caller.create({ domain: "a.example" }, { "Idempotency-Key": text });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[400, "malformed_request"],
        "The Idempotency-Key header is not valid. Send one key of 1 to 255 visible ASCII characters, such as a UUID.",
      ]);
    }
    expect(await caller.count()).toBe(0);
  },
  "methods other than POST ignore the key": async (caller) => {
    await caller.createAll(["a.example"]);
    const headers = { "Idempotency-Key": "two words" };
    for (const [method, status, json] of [
      ["GET", 200],
      ["PUT", 200, { email: 1 }],
      ["PUT", 200, { email: 0 }],
      ["DELETE", 204],
    ] as const) {
      const answer = await caller.call(method, `${websites}/1`, { headers, ...(json === undefined ? {} : { json }) });
      expect([method, answer.status, answer.header("Idempotency-Replayed")]).toEqual([method, status, null]);
    }
  },
  "a create that is repeated while it is answered is made once": async (caller) => {
    const answers = await Promise.all([caller.create(locked, key), caller.create(locked, key)]);
    // The second is refused, or it gets the first answer if that was ready.
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([...answer.refusal, answer.header("Retry-After")]).toEqual([409, "idempotency_in_progress", "1"]);
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(await caller.count()).toBe(1);
  },
};

/** What a client reads of an answer, without what belongs to one request. */
function shown({ status, text, headers }: Answer) {
  const named = ["ETag", "Location", "Content-Type", "Content-Length", "Cache-Control"];
  return { status, text, headers: named.map((name) => headers.get(name)) };
}
