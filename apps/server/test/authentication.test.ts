import { setTimeout as sleep } from "node:timers/promises";
import { scopes } from "@siteward/contract";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { rawRequest, rawRequests } from "./support/raw-request.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

/** Every operation of the interface, with the scope that it requires. */
const operations = [
  ["GET", "/api/v1/websites", "websites:read"],
  ["GET", "/api/v1/websites/1", "websites:read"],
  ["POST", "/api/v1/websites", "websites:write"],
  ["PUT", "/api/v1/websites/1", "websites:write"],
  ["DELETE", "/api/v1/websites/1", "websites:write"],
  ["GET", "/api/v1/account", "account:read"],
] as const;

/** Values of the Authorization header that are not a valid key. */
const badAuthorizations: Record<string, (key: string) => string> = {
  "another scheme": (key) => `Basic ${key}`,
  "the key alone": (key) => key,
  "the scheme alone": () => "Bearer",
  "two keys": (key) => `Bearer ${key} ${key}`,
  "a key with a typo": (key) => `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`,
  "a key in another case": (key) => `Bearer ${key.toLowerCase().replace("swk_", "SWK_")}`,
  "a key cut short": (key) => `Bearer ${key.slice(0, -1)}`,
  "a well-formed key that was never made": () => "Bearer swk_000000000000000000000000000000000GdSbS",
};

describeOnEveryEngine("unauthenticated, 401", (engine) => {
  test.for(operations)("%s %s without a key is refused, and the answer names the scheme", async ([method, path]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call(method, path, { key: null });
    expect(answer.refusal).toEqual([401, "unauthenticated"]);
    expect(answer.header("WWW-Authenticate")).toBe('Bearer realm="siteward"');
  });

  test.for(Object.entries(badAuthorizations))("%s is refused", async ([, write]) => {
    await using server = await startTestServer(engine);
    const headers = { Authorization: write(server.key) };
    const answer = await server.call("GET", "/api/v1/websites", { key: null, headers });
    expect(answer.refusal).toEqual([401, "unauthenticated"]);
    expect(answer.header("WWW-Authenticate")).toMatch(/^Bearer realm="siteward"/);
  });

  test("a key that is copied with the ellipsis of an example is told which characters a key has", async () => {
    await using server = await startTestServer(engine);
    const headers = { Authorization: Buffer.from("Bearer swk_…").toString("latin1") };
    const answer = await server.call("GET", "/api/v1/websites", { key: null, headers });
    expect(answer.refusal).toEqual([401, "unauthenticated"]);
    expect(answer.problem.detail).toContain('An API key consists of letters, digits and "_".');
  });

  test("the scheme is accepted in upper and lower case", async () => {
    await using server = await startTestServer(engine);
    const headers = { Authorization: `bEARER ${server.key}` };
    expect((await server.call("GET", "/api/v1/account", { key: null, headers })).status).toBe(200);
  });

  test.for([
    ["an unknown path", "GET", "/api/v1/nothing", {}],
    ["the root of the interface", "GET", "/api/v1", {}],
    ["a method that the path does not take", "PATCH", "/api/v1/websites", {}],
    ["the question for the methods", "OPTIONS", "/api/v1/websites", {}],
    ["an id that is not one", "GET", "/api/v1/websites/%zz", {}],
    ["a slash at the end of the path", "GET", "/api/v1/websites/", {}],
    ["a body of a wrong type", "POST", "/api/v1/websites", { body: "x", headers: { "Content-Type": "text/plain" } }],
    [
      "a body that cannot be read",
      "POST",
      "/api/v1/websites",
      { body: "{", headers: { "Content-Type": "application/json" } },
    ],
    ["a body of wrong fields", "POST", "/api/v1/websites", { form: { privacy: 9 } }],
    ["a huge body", "POST", "/api/v1/websites", { form: "x".repeat(5_000_000) }],
  ] as const)("is answered before %s is checked", async ([, method, path, options]) => {
    await using server = await startTestServer(engine);
    expect((await server.call(method, path, { ...options, key: null })).refusal).toEqual([401, "unauthenticated"]);
  });

  test.for([
    "/API/V1/WEBSITES",
    "//api/v1/websites",
    "/./api/v1/websites",
    "/x/../api/v1/websites",
    "/%61pi/v1/websites",
    "/api%2fv1/websites",
    "/api\\v1/websites",
    "/api\\v1/websites#",
    "/api/v1\\websites#",
    "/api\\v1\\websites?#",
    "/api/v1#/websites",
    "/api/v1;/websites",
    "/?/api/v1/websites",
  ])("no spelling of a path avoids it: %s", async (target) => {
    await using server = await startTestServer(engine);
    const answer = await rawRequest(server.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect([400, 401, 404]).toContain(answer.problem.status);
  });

  test("the requests of one connection each act for the key that they send", async () => {
    await using server = await startTestServer(engine);
    const { key: other } = await server.addAccount();
    const keys = [server.key, server.key, other, "swk_wrong", server.key];
    const requests = keys.map(
      (key) => `GET /api/v1/account HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    const last = "GET /api/v1/account HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const answers = await rawRequests(server.url, requests.join("") + last);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 200, 401]);
    const prefixes = answers.map(({ text }) => JSON.parse(text).data?.api_key.prefix);
    const [mine, others] = [server.key.slice(0, 12), other.slice(0, 12)];
    expect(prefixes).toEqual([mine, mine, others, undefined, mine, undefined]);
  });

  test("an expired key is refused", async () => {
    await using server = await startTestServer(engine);
    const key = await server.addKey({ expiresAt: new Date(Date.now() + 400) });
    expect((await server.call("GET", "/api/v1/account", { key })).status).toBe(200);
    await sleep(450);
    expect((await server.call("GET", "/api/v1/account", { key })).refusal).toEqual([401, "unauthenticated"]);
  });

  test("a revoked key is refused within 5 seconds, and other keys are accepted", async () => {
    await using server = await startTestServer(engine);
    const key = await server.addKey();
    expect((await server.call("GET", "/api/v1/account", { key })).status).toBe(200);
    await server.storage.apiKeys.revoke(key.slice(0, 12));
    expect(await secondsUntilRefused(server, key)).toBeLessThan(5);
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
  });

  test("revoked, expired and unknown keys get the same answer", async () => {
    await using server = await startTestServer(engine);
    const expired = await server.addKey({ expiresAt: new Date(Date.now() - 1000) });
    const revoked = await server.addKey();
    await server.storage.apiKeys.revoke(revoked.slice(0, 12));
    const answers = await Promise.all(
      [expired, revoked, "swk_000000000000000000000000000000000GdSbS", "nonsense"].map((key) =>
        server.call("GET", "/api/v1/account", { key }),
      ),
    );
    const seen = answers.map(({ problem: { request_id: _, ...rest }, headers }) => [
      rest,
      headers.get("WWW-Authenticate"),
    ]);
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

describeOnEveryEngine("insufficient_scope, 403", (engine) => {
  test.for(operations)("%s %s requires the scope %s and no other", async ([method, path, scope]) => {
    await using server = await startTestServer(engine);
    const without = await server.addKey({ scopes: scopes.filter((other) => other !== scope) });
    const answer = await server.call(method, path, { key: without });
    expect(answer.refusal).toEqual([403, "insufficient_scope"]);
    expect(answer.problem.required_scope).toBe(scope);
    expect(answer.problem.detail).toContain(scope);
    expect(answer.header("WWW-Authenticate")).toBe(
      `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"`,
    );
    const only = await server.addKey({ scopes: [scope] });
    expect((await server.call(method, path, { key: only })).status).not.toBe(403);
  });

  test("is answered before the body is checked", async () => {
    await using server = await startTestServer(engine);
    const key = await server.addKey({ scopes: ["websites:read"] });
    const answer = await server.call("POST", "/api/v1/websites", {
      key,
      body: "x",
      headers: { "Content-Type": "text/plain" },
    });
    expect(answer.refusal).toEqual([403, "insufficient_scope"]);
  });
});

async function secondsUntilRefused(server: TestServer, key: string): Promise<number> {
  const start = performance.now();
  while ((await server.call("GET", "/api/v1/account", { key })).status !== 401) await sleep(50);
  return (performance.now() - start) / 1000;
}
