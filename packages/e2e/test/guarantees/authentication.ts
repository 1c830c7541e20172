import { scopes } from "@siteward/contract";
import { expect } from "vitest";
import { accountPath, type CallOptions, operations, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

/** A key of the right form that was never created. */
const unknownKey = "swk_000000000000000000000000000000000GdSbS";
const invalidToken = 'Bearer realm="siteward", error="invalid_token"';

/** Values of the Authorization header that are not of the right form. */
const badForms = (key: string) => [
  "",
  "Bearer",
  "Basic eDp5",
  `Basic ${key}`,
  key,
  `Bearer ${key} x`,
  `Bearer ${key} ${key}`,
];

/** Keys that are not valid. */
const badKeys = (key: string) => [
  ...[`${key}x`, key.slice(1), key.slice(0, -1), `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`],
  ...[key.toUpperCase(), key.toLowerCase(), key.toLowerCase().replace("swk_", "SWK_")],
  ...["swk_00000000000000000000000000000000000000", unknownKey, "nonsense"],
];

/** Requests with a fault that is never looked at, because their key is checked first. */
const faulty: Readonly<Record<string, readonly [method: string, path: string, options?: CallOptions]>> = {
  "an unknown path": ["GET", "/api/v1/nothing"],
  "the root of the API": ["GET", "/api/v1"],
  "a method that the path does not have": ["PATCH", websites],
  "a request for the methods": ["OPTIONS", websites],
  "an id that is not one": ["GET", `${websites}/%zz`],
  "a slash at the end of the path": ["GET", `${websites}/`],
  "a query that cannot be read": ["GET", `${websites}?search=%zz`],
  "a condition that cannot be read": ["GET", websites, { headers: { "If-Match": "x" } }],
  "a body of another type": ["POST", websites, { body: "x", headers: { "Content-Type": "text/plain" } }],
  "a body that cannot be read": ["POST", websites, { body: "{", headers: { "Content-Type": "application/json" } }],
  "invalid fields": ["POST", websites, { form: "privacy=9" }],
  "a huge body": ["POST", websites, { form: "x".repeat(5_000_000) }],
};

export const authentication: Guarantees = {
  "a request without an API key gets a 401 that says how to send one, for each operation": async (caller) => {
    for (const [method, path] of operations) {
      const answer = await caller.call(method, path, { key: null });
      expect([method, path, ...answer.refusal]).toEqual([method, path, 401, "unauthenticated"]);
      expect(answer.header("WWW-Authenticate")).toBe('Bearer realm="siteward"');
      expect(answer.problem.detail).toBe(
        'The request has no API key. Send the header "Authorization: Bearer <API key>".',
      );
    }
  },
  "an Authorization header of another form gets a 401 that says what an API key looks like": async (caller) => {
    const copied = Buffer.from("Bearer swk_…").toString("latin1");
    for (const Authorization of [...badForms(caller.key), copied]) {
      const answer = await caller.call("GET", websites, { headers: { Authorization }, key: null });
      expect([Authorization, ...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([
        ...[Authorization, 401, "unauthenticated"],
        'Bearer realm="siteward"',
      ]);
      expect(answer.problem.detail).toMatch(/^The Authorization header is not valid\. /);
      expect(answer.problem.detail).toContain('An API key consists of letters, digits and "_".');
    }
  },
  "the word Bearer is not case-sensitive": async (caller) => {
    for (const Authorization of [`bearer  ${caller.key}`, `bEARER ${caller.key}`]) {
      expect((await caller.get(websites, { Authorization })).status).toBe(200);
    }
  },
  "a mistyped or unknown key gets a 401": async (caller) => {
    for (const key of badKeys(caller.key)) {
      const answer = await caller.call("GET", websites, { key });
      expect([key, ...answer.refusal, answer.header("WWW-Authenticate")]).toEqual([
        ...[key, 401, "unauthenticated"],
        invalidToken,
      ]);
      expect(answer.problem.detail).toBe("The API key is mistyped, unknown, revoked or expired. Send a valid API key.");
    }
  },
  "revoked, expired and unknown keys get the same answer": async (caller) => {
    const expired = caller.account.createApiKey({ expiresInMs: -1_000 });
    const revoked = caller.account.createApiKey();
    caller.account.revokeApiKey(revoked);
    const seen = new Set<string>();
    for (const key of [expired, revoked, unknownKey, "nonsense"]) {
      const answer = await caller.call("GET", accountPath, { key });
      const { request_id: _, ...problem } = answer.problem;
      seen.add(JSON.stringify([problem, answer.header("WWW-Authenticate")]));
    }
    expect([...seen]).toEqual([expect.stringContaining('"status":401')]);
  },
  "nothing else of a request is checked before its key": async (caller) => {
    for (const [fault, [method, path, options]] of Object.entries(faulty)) {
      for (const key of [null, unknownKey]) {
        const answer = await caller.call(method, path, { ...options, key });
        expect([fault, ...answer.refusal]).toEqual([fault, 401, "unauthenticated"]);
      }
    }
  },
  "each operation needs one scope, and without it gets a 403 that names the scope, whatever the body is": async (
    caller,
  ) => {
    for (const [method, path, scope] of operations) {
      const without = caller.account.createApiKey({ scopes: scopes.filter((other) => other !== scope) });
      const body = method === "GET" ? {} : { body: "x", headers: { "Content-Type": "text/plain" } };
      const answer = await caller.call(method, path, { key: without, ...body });
      expect([method, path, ...answer.refusal]).toEqual([method, path, 403, "insufficient_scope"]);
      expect(answer.problem).toMatchObject({
        required_scope: scope,
        detail: `This operation needs an API key with the scope ${scope}.`,
      });
      expect(answer.header("WWW-Authenticate")).toBe(
        `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"`,
      );
      const only = caller.account.createApiKey({ scopes: [scope] });
      expect((await caller.call(method, path, { key: only })).status).not.toBe(403);
    }
  },
};
