import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const path = "/api/v1/account";

describeOnEveryEngine("the account", (engine) => {
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
});
