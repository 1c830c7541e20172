import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const path = "/api/v1/account";

describeOnEveryEngine("the entity tag of the account", (engine) => {
  test("does not depend on when the key was last used", async () => {
    await using server = await startTestServer(engine);
    const tag = (await server.call("GET", path)).header("ETag") ?? "";
    await server.flush();
    await server.execute("update api_keys set last_used_at = 1");
    expect((await server.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(304);
  });
});
