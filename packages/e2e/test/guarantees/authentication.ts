import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const unknownKey = "swk_00000000000000000000000000000000000000";
const invalidToken = 'Bearer realm="siteward", error="invalid_token"';

export const authentication: Guarantees = {
  "a request without an API key gets a 401 that says how to send one": async (service) => {
    const answer = await new Caller(service).call("GET", websites, { key: null });
    expect(answer.refusal).toEqual([401, "unauthenticated"]);
    expect(answer.header("WWW-Authenticate")).toBe('Bearer realm="siteward"');
    expect(answer.problem.detail).toBe(
      'The request has no API key. Send the header "Authorization: Bearer <API key>".',
    );
  },
  "an Authorization header of another form gets a 401 that says what an API key looks like": async (service) => {
    const caller = new Caller(service);
    for (const Authorization of ["", "Bearer", "Basic eDp5", caller.key, `Bearer ${caller.key} x`]) {
      const answer = await caller.call("GET", websites, { headers: { Authorization }, key: null });
      expect([...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([
        401,
        "unauthenticated",
        'Bearer realm="siteward"',
      ]);
      expect(answer.problem.detail).toMatch(/^The Authorization header is not valid\. /);
    }
  },
  "the word Bearer is not case-sensitive, and the key is": async (service) => {
    const caller = new Caller(service);
    const Authorization = `bearer  ${caller.key}`;
    expect((await caller.call("GET", websites, { headers: { Authorization } })).status).toBe(200);
    expect((await caller.call("GET", websites, { key: caller.key.toUpperCase() })).status).toBe(401);
  },
  "a mistyped or unknown key gets a 401 before anything else of the request is checked": async (service) => {
    const caller = new Caller(service);
    for (const key of [`${caller.key}x`, caller.key.slice(1), unknownKey]) {
      for (const [method, path] of [
        ["GET", "/api/v1/nothing"],
        ["PATCH", websites],
        ["OPTIONS", websites],
      ] as const) {
        const answer = await caller.call(method, path, { key, headers: { "If-Match": "x" } });
        expect([...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([401, "unauthenticated", invalidToken]);
        expect(answer.problem.detail).toBe(
          "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
        );
      }
    }
  },
  "a key is valid until it expires": async (service) => {
    const caller = new Caller(service);
    const key = caller.account.createApiKey({ expiresInMs: 60_000 });
    caller.account.advanceClock(59_999);
    expect((await caller.call("GET", websites, { key })).status).toBe(200);
    caller.account.advanceClock(1);
    const answer = await caller.call("GET", websites, { key });
    expect([...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([401, "unauthenticated", invalidToken]);
  },
  "a key without the scope of an operation gets a 403 that names the scope": async (service) => {
    const caller = new Caller(service);
    const reader = caller.account.createApiKey({ scopes: ["websites:read"] });
    const writer = caller.account.createApiKey({ scopes: ["websites:write"] });
    for (const [method, path, key, scope] of [
      ["POST", websites, reader, "websites:write"],
      ["PUT", `${websites}/1`, reader, "websites:write"],
      ["DELETE", `${websites}/1`, reader, "websites:write"],
      ["GET", "/api/v1/account", reader, "account:read"],
      ["GET", websites, writer, "websites:read"],
      ["GET", `${websites}/1`, writer, "websites:read"],
    ] as const) {
      const answer = await caller.call(method, path, { key });
      expect(answer.refusal).toEqual([403, "insufficient_scope"]);
      expect(answer.problem).toMatchObject({
        required_scope: scope,
        detail: `This operation needs an API key with the scope ${scope}.`,
      });
      expect(answer.header("WWW-Authenticate")).toBe(
        `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"`,
      );
    }
  },
  "accounts do not see each other's websites": async (service) => {
    const [one, other] = [new Caller(service), new Caller(service)];
    await one.createAll(["a.example", "b.example"]);
    await other.createAll(["a.example"]);
    expect((await one.call("GET", websites)).ids).toEqual([2, 1]);
    expect((await other.call("GET", `${websites}/2`)).refusal).toEqual([404, "not_found"]);
    expect((await other.call("DELETE", `${websites}/2`)).refusal).toEqual([404, "not_found"]);
  },
  "the account has its counts and the key of the request": async (service) => {
    const caller = new Caller(service, { websiteLimit: 7 });
    await caller.createAll(["a.example", "b.example"]);
    const key = caller.account.createApiKey({ scopes: ["account:read"], expiresInMs: 1_000 });
    const { websites: counts, api_key } = (await caller.call("GET", "/api/v1/account", { key })).accountData;
    expect(counts).toEqual({ count: 2, limit: 7 });
    expect(api_key).toMatchObject({
      prefix: key.slice(0, 12),
      scopes: ["account:read"],
      created_at: new Date(caller.account.nowMs()).toISOString(),
      expires_at: new Date(caller.account.nowMs() + 1_000).toISOString(),
    });
  },
};
