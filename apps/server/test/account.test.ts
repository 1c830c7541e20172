import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const path = "/api/v1/account";

describeOnEveryEngine("the account, 200", (engine) => {
  test("has exactly the documented fields", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("GET", path);
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      data: {
        id: server.accountId,
        name: "Test account",
        email: "test@example.com",
        websites: { count: 0, limit: null },
        created_at: time,
        updated_at: time,
        api_key: {
          name: "test key",
          prefix: server.key.slice(0, 12),
          scopes: ["websites:read", "websites:write", "account:read"],
          created_at: time,
          expires_at: null,
          last_used_at: null,
        },
      },
    });
    expect(answer.text).not.toContain(server.key);
  });

  test("is the account of the key, with its own limit, count, scopes and expiry", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount(7);
    await server.call("POST", "/api/v1/websites", { key: other.key, form: { domain: "example.com" } });
    const expiresAt = new Date("2999-01-31T00:00:00.000Z");
    const key = await server.addKey({ accountId: other.accountId, scopes: ["account:read"], expiresAt });
    expect((await server.call("GET", path, { key })).account).toMatchObject({
      id: other.accountId,
      websites: { count: 1, limit: 7 },
      api_key: { name: "another key", scopes: ["account:read"], expires_at: expiresAt.toISOString() },
    });
    expect((await server.call("GET", path)).account).toMatchObject({
      id: server.accountId,
      websites: { count: 0, limit: null },
    });
  });

  test("shows what the operator changes", async () => {
    await using server = await startTestServer(engine);
    await server.storage.accounts.update(server.accountId, { name: "New name", websiteLimit: 5 });
    expect((await server.call("GET", path)).account).toMatchObject({ name: "New name", websites: { limit: 5 } });
  });

  test("shows when the key was last used, once that is written", async () => {
    await using server = await startTestServer(engine);
    const before = Date.now();
    await server.call("GET", path);
    await server.flush();
    const [stored] = await server.storage.apiKeys.list(server.accountId);
    expect(stored?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(before);
    await expect
      .poll(async () => (await server.call("GET", path)).account.api_key.last_used_at, { timeout: 4000 })
      .toBe(stored?.lastUsedAt?.toISOString());
  });

  test("is never stored by a cache", async () => {
    await using server = await startTestServer(engine);
    for (const each of [path, "/api/v1/websites", "/api/v1/websites/1"]) {
      expect((await server.call("GET", each)).header("Cache-Control")).toBe("no-store");
    }
  });
});
