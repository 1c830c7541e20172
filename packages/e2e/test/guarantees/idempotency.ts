import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const key = { "Idempotency-Key": "import-42" };
const dayMs = 24 * 60 * 60 * 1000;

export const idempotency: Guarantees = {
  "a create that is repeated gets the first answer, also as a form and after the record has changed": async (
    service,
  ) => {
    const caller = new Caller(service);
    const first = await caller.create({ domain: "a.example", privacy: 1 }, key);
    expect([first.status, first.header("Idempotency-Replayed")]).toEqual([201, null]);
    await caller.call("PUT", `${websites}/1`, { json: { email: 1 } });
    caller.account.advanceClock(dayMs - 1);
    for (const form of [undefined, "privacy=1&domain=a.example"]) {
      const options = form === undefined ? { json: { domain: "a.example", privacy: 1 } } : { form };
      const again = await caller.call("POST", websites, { ...options, headers: key });
      expect([again.status, again.header("Idempotency-Replayed")]).toEqual([201, "true"]);
      expect(again.website).toEqual(first.website);
      expect([again.header("ETag"), again.header("Location")]).toEqual([
        first.header("ETag"),
        first.header("Location"),
      ]);
    }
    expect((await caller.call("GET", websites)).page.meta.total).toBe(1);
  },
  "the outcome is kept for 24 hours": async (service) => {
    const caller = new Caller(service);
    await caller.create({ domain: "a.example" }, key);
    caller.account.advanceClock(dayMs + 1);
    const again = await caller.create({ domain: "a.example" }, key);
    expect([...again.refusal, again.header("Idempotency-Replayed")]).toEqual([409, "domain_taken", null]);
  },
  "the same key with other fields or another path gets a 422": async (service) => {
    const caller = new Caller(service);
    await caller.create({ domain: "a.example" }, key);
    const answers = [
      await caller.create({ domain: "b.example" }, key),
      await caller.create({ domain: "A.example" }, key),
      await caller.create({ domain: "a.example", email: 0 }, key),
      await caller.call("POST", `${websites}?x=1`, { json: { domain: "a.example" }, headers: key }),
    ];
    for (const answer of answers) {
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[422, "idempotency_key_reused"],
        "This idempotency key was first sent with another request. Use a new key for a new request.",
      ]);
    }
  },
  "refusals by the account's records are repeated, and all others start anew": async (service) => {
    const caller = new Caller(service, { websiteLimit: 1 });
    await caller.createAll(["a.example"]);
    const full = await caller.create({ domain: "b.example" }, key);
    await caller.call("DELETE", `${websites}/1`);
    const replayed = await caller.create({ domain: "b.example" }, key);
    expect([full.refusal, full.header("Idempotency-Replayed")]).toEqual([[403, "website_limit_reached"], null]);
    expect([replayed.refusal, replayed.header("Idempotency-Replayed")]).toEqual([
      [403, "website_limit_reached"],
      "true",
    ]);
    const other = { "Idempotency-Key": "other" };
    expect((await caller.create({ domain: "" }, other)).refusal).toEqual([422, "validation_failed"]);
    expect((await caller.create({ domain: "b.example" }, other)).status).toBe(201);
  },
  "a 409 is repeated with its website": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const first = await caller.create({ domain: "a.example" }, key);
    await caller.call("DELETE", `${websites}/1`);
    const again = await caller.create({ domain: "a.example" }, key);
    expect([again.refusal, again.header("Idempotency-Replayed")]).toEqual([[409, "domain_taken"], "true"]);
    expect({ ...again.problem, request_id: "" }).toEqual({ ...first.problem, request_id: "" });
  },
  "a create with a password must be repeated with the same API key": async (service) => {
    const caller = new Caller(service);
    const fields = { domain: "a.example", privacy: 2, password: "correct horse" };
    await caller.create(fields, key);
    expect((await caller.create(fields, key)).header("Idempotency-Replayed")).toBe("true");
    const answer = await caller.call("POST", websites, {
      json: fields,
      headers: key,
      key: caller.account.createApiKey(),
    });
    expect(answer.refusal).toEqual([422, "idempotency_key_reused"]);
  },
  "keys of different accounts are independent": async (service) => {
    for (const caller of [new Caller(service), new Caller(service)]) {
      const answer = await caller.create({ domain: "a.example" }, key);
      expect([answer.status, answer.header("Idempotency-Replayed")]).toEqual([201, null]);
    }
  },
  "a key that is not 1 to 255 visible ASCII characters gets a 400": async (service) => {
    const caller = new Caller(service);
    for (const text of ["", "a b", "ü", "x".repeat(256)]) {
      const answer = await caller.create({ domain: "a.example" }, { "Idempotency-Key": text });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[400, "malformed_request"],
        "The Idempotency-Key header is not valid. Send one key of 1 to 255 visible ASCII characters, such as a UUID.",
      ]);
    }
    expect((await caller.create({ domain: "a.example" }, { "Idempotency-Key": "x".repeat(255) })).status).toBe(201);
  },
  "a create that is repeated while it is answered is made once": async (service) => {
    const caller = new Caller(service);
    const fields = { domain: "a.example", privacy: 2, password: "correct horse" };
    const answers = await Promise.all([caller.create(fields, key), caller.create(fields, key)]);
    // The second is refused, or it gets the first answer if that was ready.
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([...answer.refusal, answer.header("Retry-After")]).toEqual([409, "idempotency_in_progress", "1"]);
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect((await caller.call("GET", websites)).page.meta.total).toBe(1);
  },
};
