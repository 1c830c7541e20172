import { expect } from "vitest";
import { accountPath, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const dayMs = 24 * 60 * 60 * 1000;
const invalidToken = 'Bearer realm="siteward", error="invalid_token"';

export const time: Guarantees = {
  "a key is valid until it expires": async (caller, service) => {
    const key = caller.account.createApiKey({ expiresInMs: 60_000 });
    service.advanceClock(59_999);
    expect((await caller.call("GET", websites, { key })).status).toBe(200);
    service.advanceClock(1);
    const answer = await caller.call("GET", websites, { key });
    expect([...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([401, "unauthenticated", invalidToken]);
  },
  "a revoked key is refused within 5 seconds, and other keys are accepted": async (caller, service) => {
    const key = caller.account.createApiKey();
    expect((await caller.call("GET", accountPath, { key })).status).toBe(200);
    caller.account.revokeApiKey(key);
    service.advanceClock(4_999);
    const answer = await caller.call("GET", accountPath, { key });
    expect([...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([401, "unauthenticated", invalidToken]);
    expect((await caller.get(accountPath)).status).toBe(200);
  },
  "an update changes the time of the change, and one that changes nothing keeps it": async (caller, service) => {
    const created = await caller.create({ domain: "a.example", email: 1, exclude_params: ["q"] });
    service.advanceClock(1_500);
    const unchanged = await caller.put(one, { email: 1, exclude_ips: "" });
    expect([unchanged.website, unchanged.etag]).toEqual([created.website, created.etag]);
    const answer = await caller.put(one, { privacy: 1, exclude_params: [] });
    expect(answer.status).toBe(200);
    const updated_at = new Date(service.nowMs()).toISOString();
    expect(answer.website).toEqual({ ...created.website, privacy: 1, exclude_params: [], updated_at });
    expect((await caller.get(one)).website).toEqual(answer.website);
  },
  "the outcome of an idempotency key is kept for 24 hours, for a result and for a refusal": async (caller, service) => {
    const create = (key: string) => caller.create({ domain: "a.example" }, { "Idempotency-Key": key });
    const first = await create("created");
    await create("refused");
    await caller.put(one, { email: 1 });
    service.advanceClock(dayMs - 1);
    const again = await create("created");
    expect([again.status, again.text, again.header("Idempotency-Replayed")]).toEqual([201, first.text, "true"]);
    service.advanceClock(2);
    const late = await create("created");
    expect([...late.refusal, late.header("Idempotency-Replayed")]).toEqual([409, "domain_taken", null]);
    await caller.call("DELETE", one);
    expect((await create("refused")).website.id).toBe(2);
  },
  "if the clock goes back, no time of a website does, and an idempotency key is kept no longer than 24 hours": async (
    caller,
    service,
  ) => {
    const { website: first } = await caller.create({ domain: "first.example" });
    service.advanceClock(-dayMs);
    const create = () => caller.create({ domain: "a.example" }, { "Idempotency-Key": "k" });
    const { website } = await create();
    expect([website.id, website.created_at]).toEqual([2, first.created_at]);
    expect((await caller.put(`${websites}/2`, { email: 1 })).website.updated_at).toBe(first.created_at);
    await caller.call("DELETE", `${websites}/2`);
    service.advanceClock(dayMs);
    const again = await create();
    expect([again.header("Idempotency-Replayed"), again.website.id]).toEqual([null, 3]);
  },
  "an outcome that has expired is replaced once, even if many requests with its key arrive at once": async (
    caller,
    service,
  ) => {
    for (const id of [1, 2, 3]) {
      const create = () => caller.create({ domain: "a.example" }, { "Idempotency-Key": "k" });
      const answers = await Promise.all(Array.from({ length: 8 }, create));
      const created = answers.filter(({ status }) => status === 201);
      expect(new Set(created.map(({ website }) => website.id))).toEqual(new Set([id]));
      expect(created.filter((answer) => answer.header("Idempotency-Replayed") === null)).toHaveLength(1);
      await caller.call("DELETE", `${websites}/${id}`);
      service.advanceClock(dayMs);
    }
  },
  "time gives requests back": async (caller, service) => {
    const key = caller.account.createApiKey({ rateLimit: 2 });
    const read = async () => (await caller.call("GET", websites, { key })).header("RateLimit");
    expect([await read(), await read()]).toEqual(['"default";r=1;t=30', '"default";r=0;t=30']);
    service.advanceClock(29_999);
    const refused = await caller.call("GET", websites, { key });
    expect([refused.header("Retry-After"), refused.header("RateLimit")]).toEqual(["1", '"default";r=0;t=1']);
    service.advanceClock(1);
    expect([await read(), await read()]).toEqual(['"default";r=0;t=30', '"default";r=0;t=30']);
    service.advanceClock(90_000);
    expect(await read()).toBe('"default";r=1;t=30');
  },
};
