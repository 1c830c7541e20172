import { once } from "node:events";
import { openConnection, rawRequest } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
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

describe("the log", () => {
  test("has one line for every request, with its id, method, path, status and duration", async () => {
    await using server = await startTestServer(engines.sqlite);
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

  test("says whose request it was, by the account's id and the key's prefix, also of a 403 and a 429", async () => {
    await using server = await startTestServer(engines.sqlite, {
      settings: { SITEWARD_RATE_LIMIT: "1" },
      now: () => 0,
    });
    const other = await server.addAccount();
    const reading = await server.addKey({ scopes: ["websites:read"] });
    const calls = [
      { key: other.key, status: 200, accountId: other.accountId },
      { key: other.key, status: 429, accountId: other.accountId },
      { key: reading, status: 403, accountId: server.accountId, method: "POST" },
    ];
    for (const { key, method = "GET" } of calls) await server.call(method, "/api/v1/websites", { key });
    expect(server.log.entries).toEqual(
      calls.map(({ key, status, accountId }) =>
        expect.objectContaining({ status, account_id: accountId, api_key: key.slice(0, 12) }),
      ),
    );
  });

  test("has the client's address that a trusted proxy reports, and no other text that a client sends for it", async () => {
    await using trusting = await startTestServer(engines.sqlite, { settings: { SITEWARD_TRUST_PROXY: "1" } });
    await using trustless = await startTestServer(engines.sqlite);
    for (const server of [trusting, trustless]) {
      for (const reported of ["203.0.113.9, 192.0.2.7", "203.0.113.9, forged"]) {
        await server.call("GET", "/healthz", { headers: { "X-Forwarded-For": reported } });
      }
    }
    const remotes = [trusting, trustless].map(({ log }) => log.entries.map((entry) => entry["remote"]));
    expect(remotes).toEqual([
      ["192.0.2.7", "127.0.0.1"],
      ["127.0.0.1", "127.0.0.1"],
    ]);
  });

  test("has the client's address also if the client disconnects before it gets a response", async () => {
    for (const [trusted, remote] of [
      ["loopback", "192.0.2.7"],
      ["off", "127.0.0.1"],
    ] as const) {
      await using server = await startTestServer(engines.sqlite, { settings: { SITEWARD_TRUST_PROXY: trusted } });
      // Once the server knows the key, nothing but the log reads the address.
      await server.call("GET", "/api/v1/account");
      const socket = await openConnection(server.url);
      socket.write(
        `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\nContent-Length: 9\r\n` +
          "Content-Type: application/json\r\nX-Forwarded-For: 192.0.2.7\r\nExpect: 100-continue\r\n\r\n",
      );
      // The server has begun to read the body.
      await once(socket, "data");
      socket.resetAndDestroy();
      await expect.poll(() => server.log.entries.at(-1)).toMatchObject({ status: 499, remote });
    }
  });

  test("names no account and no key if the request has no valid key", async () => {
    await using server = await startTestServer(engines.sqlite);
    await server.call("GET", "/api/v1/websites", { key: `${server.key}x` });
    await server.call("GET", "/healthz");
    for (const entry of server.log.entries) expect(Object.keys(entry)).not.toContain("account_id");
    expect(server.log.text).not.toContain("swk_");
  });

  test("has the id of a request that is broken on the wire, for each part of the server that refuses it", async () => {
    await using server = await startTestServer(engines.sqlite);
    for (const bytes of brokenRequests) {
      const answer = await rawRequest(server.url, bytes.replace("{key}", server.key));
      expect([bytes, ...answer.refusal]).toEqual([bytes, 400, "malformed_request"]);
      expect(server.log.entries.map((entry) => entry["request_id"])).toContain(answer.problem.request_id);
    }
  });

  test("has a request whose length is over the limit before any of its body is sent, also if the client then closes its side", async () => {
    await using server = await startTestServer(engines.sqlite);
    const head =
      `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${64 * 1024 + 1}\r\n\r\n`;
    expect((await rawRequest(server.url, head)).refusal).toEqual([413, "body_too_large"]);
    expect(server.log.entries).toEqual([expect.objectContaining({ status: 413 })]);
    const socket = await openConnection(server.url);
    socket.write(head);
    await once(socket, "data");
    socket.destroy();
    await expect.poll(() => server.log.entries.length, { timeout: 1_500 }).toBe(2);
  });
});
