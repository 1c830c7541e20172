import type { Answer } from "@siteward/testing/answer";
import { expect } from "vitest";
import { accountPath, type Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

export const rateLimits: Guarantees = {
  "every answer to a limited key says how much remains, whatever its status, and each request counts as one": async (
    caller,
  ) => {
    const key = caller.account.createApiKey({ rateLimit: 60 });
    const call: Caller["call"] = (method, path, options) => caller.call(method, path, { ...options, key });
    const created = await call("POST", websites, { json: { domain: "example.com" } });
    const answers = [
      created,
      await call("GET", `${websites}/1`, { headers: { "If-None-Match": created.etag, "Cache-Control": "max-age=0" } }),
      await call("GET", "/api/v1/unknown"),
      await call("PATCH", websites),
      await call("POST", websites, { json: {} }),
      await call("POST", websites, { json: { domain: "example.com" } }),
      await call("POST", websites, { body: "example.com" }),
      await call("HEAD", websites),
      await call("DELETE", `${websites}/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 304, 404, 405, 422, 409, 415, 200, 204]);
    expect(answers.map(fieldsOf)).toEqual(
      answers.map((_, index) => ['"default";q=60;w=60', `"default";r=${59 - index};t=1`]),
    );
    const reader = caller.account.createApiKey({ rateLimit: 60, scopes: ["websites:read"] });
    const refused = await caller.call("POST", websites, { json: { domain: "example.com" }, key: reader });
    expect([...refused.refusal, ...fieldsOf(refused)]).toEqual([
      ...[403, "insufficient_scope", '"default";q=60;w=60', '"default";r=59;t=1'],
    ]);
  },
  "past the limit nothing happens, and the 429 says when to retry": async (caller) => {
    const key = caller.account.createApiKey({ rateLimit: 3 });
    const seen = [];
    for (const domain of ["a.example", "", "a.example"]) {
      const answer = await caller.call("POST", websites, { json: { domain }, key });
      seen.push([answer.status, ...fieldsOf(answer)]);
    }
    expect(seen).toEqual([
      [201, '"default";q=3;w=60', '"default";r=2;t=20'],
      [422, '"default";q=3;w=60', '"default";r=1;t=20'],
      [409, '"default";q=3;w=60', '"default";r=0;t=20'],
    ]);
    const answer = await caller.call("DELETE", `${websites}/1`, { key });
    expect([...answer.refusal, answer.header("Retry-After"), ...fieldsOf(answer)]).toEqual([
      ...[429, "rate_limited", "20", '"default";q=3;w=60', '"default";r=0;t=20'],
    ]);
    expect(answer.problem.detail).toBe(
      "This API key has reached its limit of 3 requests per minute. " +
        "Retry after 20 s, or ask the operator for a higher limit.",
    );
    expect((await caller.call("OPTIONS", websites, { key })).refusal).toEqual([429, "rate_limited"]);
    expect(await caller.count()).toBe(1);
  },
  "keys do not share a limit, and a request without a valid key counts for none, as with a key that has no limit":
    async (caller) => {
      const [key, other] = [1, 2].map(() => caller.account.createApiKey({ rateLimit: 1 }));
      expect(fieldsOf(await caller.get(accountPath))).toEqual([null, null]);
      for (const invalid of [null, "swk_unknown", `${key}x`]) {
        const answer = await caller.call("GET", websites, { key: invalid });
        expect([answer.status, ...fieldsOf(answer)]).toEqual([401, null, null]);
      }
      for (const [sent, status] of [
        [key, 200],
        [key, 429],
        [other, 200],
      ] as const) {
        expect((await caller.call("GET", websites, sent === undefined ? {} : { key: sent })).status).toBe(status);
      }
    },
};

function fieldsOf(answer: Answer): (string | null)[] {
  return [answer.header("RateLimit-Policy"), answer.header("RateLimit")];
}
