import { rawRequest } from "@siteward/testing/raw-connection";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

/** Requests that no HTTP client would send. `{key}` stands for an API key. */
const brokenRequests = [
  "garbage\r\n\r\n",
  "GET /healthz HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n",
  "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
  "GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  `GET /healthz HTTP/1.1\r\nHost: a\r\n${"X: 1\r\n".repeat(100)}Connection: close\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\nX: ${"x".repeat(17_000)}\r\n\r\n`,
  "DELETE /api/v1/websites/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
];

describeOnEveryEngine("the log", (engine) => {
  test("has one line for every request, with its id, method, path, status and duration", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("GET", "/api/v1/websites?per_page=25");
    await server.call("GET", "/nothing", { headers: { "X-Request-Id": "my-id" } });
    expect(server.log.entries).toEqual([
      expect.objectContaining({
        level: 30,
        request_id: answer.header("X-Request-Id"),
        method: "GET",
        path: "/api/v1/websites",
        remote: "127.0.0.1",
        status: 200,
        is_complete: true,
        duration_ms: expect.any(Number),
      }),
      expect.objectContaining({ request_id: "my-id", path: "/nothing", status: 404 }),
    ]);
  });

  test("has the id of a request that is broken on the wire, for each part of the server that refuses it", async () => {
    await using server = await startTestServer(engine);
    for (const bytes of brokenRequests) {
      const answer = await rawRequest(server.url, bytes.replace("{key}", server.key));
      expect([bytes, ...answer.refusal]).toEqual([bytes, 400, "malformed_request"]);
      expect(server.log.entries.map((entry) => entry["request_id"])).toContain(answer.problem.request_id);
    }
  });

  test("never contains a key or a password, wherever a client puts it", async () => {
    await using server = await startTestServer(engine);
    const password = "correct-horse";
    const form = { domain: "example.com", privacy: 2, password };
    await server.call("POST", "/api/v1/websites", { form });
    await server.call("POST", "/api/v1/websites", { form: { ...form, privacy: 0 } });
    await server.call("POST", "/api/v1/websites", { json: `${password}"` });
    await server.call("POST", "/api/v1/websites", { form: `password=${password}%` });
    const headers = { "Content-Type": "application/json" };
    await server.call("POST", "/api/v1/websites", { body: `{"password":"${password}" x}`, headers });
    await server.call("PUT", "/api/v1/websites/1", { json: { password: [password] } });
    await server.call("GET", `/api/v1/websites?api_key=${server.key}&password=${password}`);
    await server.call("GET", "/api/v1/websites", { headers: { Cookie: password, "X-Api-Key": server.key } });
    await server.call("GET", "/api/v1/websites", { key: `${server.key}x` });
    await server.call("GET", "/nothing", { headers: { "X-Request-Id": server.key } });
    await server.call("GET", `/api/v1/websites/${server.key}`);
    await server.call("GET", `/nothing/${server.key}/more`, { key: null });
    await rawRequest(server.url, `GET / HTTP/1.1\r\nAuthorization : Bearer ${server.key}\r\n\r\n`);
    const target = `http://user:${password}@127.0.0.1/api/v1/websites`;
    await rawRequest(server.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(server.log.entries.length).toBeGreaterThanOrEqual(14);
    expect(server.log.text).not.toContain(password);
    expect(server.log.text).not.toContain(server.key);
    expect(server.log.text).not.toContain("argon2");
  });

  test.for(["/%0d%0a%1b[31mred", "/\x1b[31mred", "/\u0085\u2028", "/\x7f", '/"}\n{"level":60'])(
    "stays one line without control characters for the path %j",
    async (path) => {
      await using server = await startTestServer(engine);
      await rawRequest(server.url, Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, "utf8"));
      expect(server.log.text.trimEnd().split(/\r|\n/)).toHaveLength(1);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there.
      expect(server.log.text.trimEnd()).not.toMatch(/[\x00-\x1f]/);
      expect(server.log.entries).toHaveLength(1);
    },
  );
});
