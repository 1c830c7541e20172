import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Answer } from "./support/answer.ts";
import { describeOnEveryEngine } from "./support/engines.ts";
import { rawRequest } from "./support/raw-request.ts";
import { type CallOptions, startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";
const protectedWebsite = { domain: "b.example", privacy: 2, password: "correct horse" };

describeOnEveryEngine("a create that is sent again with its Idempotency-Key", (engine) => {
  test.for([
    ["with defaults", { domain: "a.example" }],
    ["with lists", { domain: "a.example", exclude_params: ["utm_*", 'a"\\ä'], exclude_ips: ["2001:DB8::1"], email: 1 }],
    ["with a password", protectedWebsite],
  ] as const)("%s, gets the same status, body, ETag and Location, and creates nothing", async ([, json]) => {
    await using server = await startTestServer(engine);
    const first = await create(server, "k", { json });
    expect([first.status, first.header("Idempotency-Replayed")]).toEqual([201, null]);
    const again = await create(server, "k", { json });
    expect(again.header("Idempotency-Replayed")).toBe("true");
    expect(shown(again)).toEqual(shown(first));
    expect((await server.call("GET", "/api/v1/account")).account.websites.count).toBe(1);
    expect((await create(server, "k2", { json: { domain: "next.example" } })).website.id).toBe(2);
  });

  test("gets the first answer even if the website was changed or deleted since", async () => {
    await using server = await startTestServer(engine);
    const json = { domain: "a.example", exclude_params: ["utm_*"] };
    const first = await create(server, "k", { json });
    await server.call("PUT", `${path}/1`, { json: { email: 1, exclude_params: [] } });
    expect(shown(await create(server, "k", { json }))).toEqual(shown(first));
    await server.call("DELETE", `${path}/1`);
    expect(shown(await create(server, "k", { json }))).toEqual(shown(first));
    expect((await server.call("GET", path)).page.data).toEqual([]);
  });

  test("is the same request as form and as JSON, with its fields in any order", async () => {
    await using server = await startTestServer(engine);
    const fields = { ...protectedWebsite, email: 1 };
    const first = await create(server, "k", {
      json: { ...fields, exclude_ips: ["192.0.2.1"], exclude_params: ["a", "b"] },
    });
    const form =
      "exclude_params=a&exclude_params=b&password=correct+horse&email=1&exclude_ips=192.0.2.1&privacy=2&domain=b.example";
    const again = await create(server, "k", { form });
    expect(again.header("Idempotency-Replayed")).toBe("true");
    expect(shown(again)).toEqual(shown(first));
  });

  test("with another field, value or password is idempotency_key_reused, and creates nothing", async () => {
    await using server = await startTestServer(engine);
    await create(server, "k", { json: protectedWebsite });
    const others = [
      { domain: "c.example" },
      { ...protectedWebsite, domain: "c.example" },
      { ...protectedWebsite, email: 0 },
      { ...protectedWebsite, password: "correct house" },
    ];
    for (const json of others) {
      expect((await create(server, "k", { json })).refusal).toEqual([422, "idempotency_key_reused"]);
    }
    expect((await server.call("GET", "/api/v1/account")).account.websites.count).toBe(1);
  });

  test("is a new request in another account", async () => {
    await using server = await startTestServer(engine);
    const { key } = await server.addAccount();
    const options = { json: { domain: "a.example" } };
    await create(server, "k", options);
    const other = await create(server, "k", { ...options, key });
    expect([other.status, other.header("Idempotency-Replayed")]).toEqual([201, null]);
  });

  test("with another API key of the account is replayed, but refused if it has a password", async () => {
    await using server = await startTestServer(engine);
    const key = await server.addKey();
    const first = await create(server, "k", { json: { domain: "a.example" } });
    expect(shown(await create(server, "k", { json: { domain: "a.example" }, key }))).toEqual(shown(first));
    await create(server, "secret", { json: protectedWebsite });
    const refused = await create(server, "secret", { json: protectedWebsite, key });
    expect(refused.refusal).toEqual([422, "idempotency_key_reused"]);
  });

  test("gets its refusal again if the domain was taken, even after the domain is free", async () => {
    await using server = await startTestServer(engine);
    await server.call("POST", path, { json: { domain: "a.example" } });
    const first = await create(server, "k", { json: { domain: "a.example" } });
    expect(first.refusal).toEqual([409, "domain_taken"]);
    await server.call("DELETE", `${path}/1`);
    const again = await create(server, "k", { json: { domain: "a.example" } });
    expect([first, again].map((answer) => answer.header("Idempotency-Replayed"))).toEqual([null, "true"]);
    expect({ ...again.problem, request_id: "" }).toEqual({ ...first.problem, request_id: "" });
    expect((await create(server, "k2", { json: { domain: "a.example" } })).status).toBe(201);
  });

  test("gets its refusal again if the limit was reached, even after there is room", async () => {
    await using server = await startTestServer(engine);
    const { key } = await server.addAccount(1);
    await server.call("POST", path, { json: { domain: "a.example" }, key });
    const first = await create(server, "k", { json: protectedWebsite, key });
    expect(first.refusal).toEqual([403, "website_limit_reached"]);
    await server.call("DELETE", `${path}/1`, { key });
    const again = await create(server, "k", { json: protectedWebsite, key });
    expect([again.status, again.header("Idempotency-Replayed")]).toEqual([403, "true"]);
    expect({ ...again.problem, request_id: "" }).toEqual({ ...first.problem, request_id: "" });
    expect((await create(server, "k2", { json: protectedWebsite, key })).status).toBe(201);
  });

  test("is a new request after 24 hours, for a result and for a refusal", async () => {
    await using server = await startTestServer(engine);
    await create(server, "created", { json: { domain: "a.example" } });
    await create(server, "refused", { json: { domain: "a.example" } });
    const age = (ms: number) => server.execute(`update idempotency_keys set created_at = created_at - ${ms}`);
    await age(24 * 3_600_000 - 60_000);
    expect((await create(server, "created", { json: { domain: "a.example" } })).status).toBe(201);
    await age(60_000);
    await server.call("DELETE", `${path}/1`);
    expect((await create(server, "refused", { json: { domain: "a.example" } })).website.id).toBe(2);
    expect((await create(server, "created", { json: { domain: "a.example" } })).refusal).toEqual([409, "domain_taken"]);
  });
});

describeOnEveryEngine("an Idempotency-Key is not used up", (engine) => {
  const refusals: Record<string, (server: TestServer) => Promise<CallOptions>> = {
    "401 without an API key": async () => ({ key: null, json: { domain: "a.example" } }),
    "403 without the scope": async (server) => ({
      key: await server.addKey({ scopes: ["websites:read"] }),
      json: { domain: "a.example" },
    }),
    "400 for a body that is not JSON": async () => ({ body: "{", headers: { "Content-Type": "application/json" } }),
    "413 for a body that is too large": async () => ({ form: { domain: "x".repeat(70_000) } }),
    "415 for another media type": async () => ({ body: "a", headers: { "Content-Type": "text/plain" } }),
    "422 for an invalid field": async () => ({ json: { domain: "not a domain" } }),
    "422 for a body without fields": async () => ({ json: null }),
    "422 for a body that is a string": async () => ({ json: "domain=a.example" }),
    "422 for a body that is an array": async () => ({ json: ["a.example"] }),
    "422 without a body": async () => ({}),
  };
  test.for(Object.entries(refusals))("by a %s", async ([name, request]) => {
    await using server = await startTestServer(engine);
    const refused = await create(server, "k", await request(server));
    expect(refused.status).toBe(Number(name.slice(0, 3)));
    expect(refused.problem.code).not.toBe("idempotency_key_reused");
    const created = await create(server, "k", { json: { domain: "a.example" } });
    expect([created.status, created.header("Idempotency-Replayed")]).toEqual([201, null]);
  });

  test("by a method other than POST, which ignores it", async () => {
    await using server = await startTestServer(engine);
    await server.call("POST", path, { json: { domain: "a.example" } });
    const headers = { "Idempotency-Key": "two words" };
    for (const [method, json] of [["GET"], ["PUT", { email: 1 }], ["PUT", { email: 0 }], ["DELETE"]] as const) {
      const answer = await server.call(method, `${path}/1`, { headers, ...(json === undefined ? {} : { json }) });
      expect([method, answer.status, answer.header("Idempotency-Replayed")]).toEqual([
        method,
        method === "DELETE" ? 204 : 200,
        null,
      ]);
    }
  });
});

describeOnEveryEngine("the format of an Idempotency-Key", (engine) => {
  test.for<[name: string, key: string]>([
    ["a UUID", randomUUID()],
    ["one character", "!"],
    ["a quoted string, as in the draft standard", '"8e03978e"'],
    ["255 characters", "~".repeat(255)],
  ])("%s is accepted", async ([, sent]) => {
    await using server = await startTestServer(engine);
    expect((await create(server, sent, { json: { domain: "a.example" } })).status).toBe(201);
    const again = await create(server, sent, { json: { domain: "a.example" } });
    expect([again.status, again.header("Idempotency-Replayed")]).toEqual([201, "true"]);
  });

  test.for<[name: string, key: string]>([
    ["an empty key", ""],
    ["256 characters", "k".repeat(256)],
    ["a space", "a b"],
    ["a character that is not ASCII", "cl\u00e9"],
  ])("%s is malformed_request, and creates nothing", async ([, sent]) => {
    await using server = await startTestServer(engine);
    const refused = await create(server, sent, { json: { domain: "a.example" } });
    expect(refused.refusal).toEqual([400, "malformed_request"]);
    expect(refused.problem.detail).toContain("Idempotency-Key");
    expect((await server.call("GET", path)).page.data).toEqual([]);
  });
});

describeOnEveryEngine("a repeated Idempotency-Key header", (engine) => {
  test.for([
    ["a", "b"],
    ["a", "a"],
    ["a", ""],
    ["", ""],
  ] as const)("%j and %j is malformed_request, and creates nothing", async (keys) => {
    await using server = await startTestServer(engine);
    const repeated = keys.map((key) => `Idempotency-Key: ${key}\r\n`).join("");
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server.key}\r\n`;
    const body = "domain=a.example";
    const rest = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect((await rawRequest(server.url, head + repeated + rest)).refusal).toEqual([400, "malformed_request"]);
    expect((await server.call("GET", path)).page.data).toEqual([]);
  });
});

function create(server: TestServer, idempotencyKey: string, options: CallOptions): Promise<Answer> {
  return server.call("POST", path, { ...options, headers: { ...options.headers, "Idempotency-Key": idempotencyKey } });
}

/** What a client reads of an answer, without what belongs to one request. */
function shown({ status, text, headers }: Answer) {
  const named = ["ETag", "Location", "Content-Type", "Content-Length", "Cache-Control"];
  return { status, text, headers: named.map((name) => headers.get(name)) };
}
