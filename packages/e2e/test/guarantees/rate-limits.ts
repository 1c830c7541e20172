import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

export const rateLimits: Guarantees = {
  "every answer to a limited key says how much remains, and past the limit nothing happens": async (service) => {
    const caller = new Caller(service);
    const key = caller.account.createApiKey({ rateLimit: 3 });
    const seen = [];
    for (const domain of ["a.example", "", "a.example"]) {
      const answer = await caller.call("POST", websites, { json: { domain }, key });
      seen.push([answer.status, answer.header("RateLimit-Policy"), answer.header("RateLimit")]);
    }
    expect(seen).toEqual([
      [201, '"default";q=3;w=60', '"default";r=2;t=20'],
      [422, '"default";q=3;w=60', '"default";r=1;t=20'],
      [409, '"default";q=3;w=60', '"default";r=0;t=20'],
    ]);
    const answer = await caller.call("DELETE", `${websites}/1`, { key });
    expect([...answer.refusal, answer.header("Retry-After"), answer.header("RateLimit")]).toEqual([
      ...[429, "rate_limited", "20", '"default";r=0;t=20'],
    ]);
    expect(answer.problem.detail).toBe(
      "This API key has reached its limit of 3 requests per minute. Retry after 20 s, or ask the operator for a higher limit.",
    );
    expect((await caller.call("GET", websites)).page.meta.total).toBe(1);
  },
  "time gives requests back": async (service) => {
    const caller = new Caller(service);
    const key = caller.account.createApiKey({ rateLimit: 2 });
    const read = async () => (await caller.call("GET", websites, { key })).header("RateLimit");
    expect([await read(), await read()]).toEqual(['"default";r=1;t=30', '"default";r=0;t=30']);
    caller.account.advanceClock(29_999);
    expect(await read()).toBe('"default";r=0;t=1');
    caller.account.advanceClock(1);
    expect([await read(), await read()]).toEqual(['"default";r=0;t=30', '"default";r=0;t=30']);
    caller.account.advanceClock(90_000);
    expect(await read()).toBe('"default";r=1;t=30');
  },
  "a limited key is counted before its request is looked at, and an invalid key is not": async (service) => {
    const caller = new Caller(service);
    const key = caller.account.createApiKey({ rateLimit: 2, scopes: ["websites:read"] });
    expect((await caller.call("GET", "/api/v1/nothing", { key })).header("RateLimit")).toBe('"default";r=1;t=30');
    expect((await caller.call("DELETE", `${websites}/1`, { key })).header("RateLimit")).toBe('"default";r=0;t=30');
    expect((await caller.call("OPTIONS", websites, { key })).refusal).toEqual([429, "rate_limited"]);
    expect((await caller.call("GET", websites, { key: `${key}x` })).header("RateLimit")).toBeNull();
  },
  "a key without a limit has no such headers": async (service) => {
    const answer = await new Caller(service).call("GET", websites);
    expect([answer.status, answer.header("RateLimit"), answer.header("RateLimit-Policy")]).toEqual([200, null, null]);
  },
};
