import { once } from "node:events";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { headOfCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

describe("the log", () => {
  test("has one line for every request, with its id, method, path, status and duration", async () => {
    await using server = await startTestServer(engines.sqlite);
    const answer = await server.call("GET", "/api/v1/websites?per_page=25");
    await server.call("GET", `/nothing/${server.key}`, { headers: { "X-Request-Id": "my-id" } });
    const sent = { method: "GET", path: "/api/v1/websites", remote: "127.0.0.1" };
    const answered = { status: 200, is_complete: true, duration_ms: expect.any(Number) };
    expect(server.log.entries).toMatchObject([
      { level: 30, request_id: answer.header("X-Request-Id"), ...sent, ...answered },
      { request_id: "my-id", path: "/nothing/[redacted]", status: 404 },
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
    expect(server.log.entries).toMatchObject(
      calls.map(({ key, status, accountId }) => ({ status, account_id: accountId, api_key: key.slice(0, 12) })),
    );
  });

  test("has the client's address that a trusted proxy reports, also if the client disconnects", async () => {
    for (const [trusted, remote] of [
      ["loopback", "192.0.2.7"],
      ["off", "127.0.0.1"],
    ] as const) {
      await using server = await startTestServer(engines.sqlite, { settings: { SITEWARD_TRUST_PROXY: trusted } });
      // Once the server knows the key, nothing but the log reads the address.
      await server.call("GET", "/api/v1/account", { headers: { "X-Forwarded-For": "203.0.113.9, 192.0.2.7" } });
      expect(server.log.entries.at(-1)).toMatchObject({ status: 200, remote });
      const socket = await openConnection(server.url);
      socket.write(headOfCreate(server.key, 9, "X-Forwarded-For: 192.0.2.7", "Expect: 100-continue"));
      // The server has begun to read the body.
      await once(socket, "data");
      socket.resetAndDestroy();
      await expect.poll(() => server.log.entries.at(-1)).toMatchObject({ status: 499, remote });
    }
  });

  test("has the client's own address if it comes by IPv4 to an address of IPv6", async () => {
    await using server = await startTestServer(engines.sqlite, { host: "::ffff:127.0.0.1" });
    expect((await fetch(`http://127.0.0.1:${new URL(server.url).port}/healthz`)).status).toBe(200);
    expect(server.log.entries).toMatchObject([{ remote: "127.0.0.1" }]);
  });
});
