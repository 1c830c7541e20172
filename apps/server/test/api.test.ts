import { expect, test } from "vitest";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const account = "/api/v1/account";

// What clients alone cannot cause. The guarantees of the end-to-end tests hold the rest.
describeOnEveryEngine("the API", (engine) => {
  test("shows when the key was last used, once that is written, and the account has no other tag for it", async () => {
    await using server = await startTestServer(engine);
    const before = Date.now();
    const tag = (await server.call("GET", account)).header("ETag") ?? "";
    await server.flush();
    // Another server may write later that it was used before.
    await server.storage.apiKeys.recordUse(new Map([[1, before - 1]]));
    const [stored] = await server.storage.apiKeys.list(server.accountId);
    expect(stored?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(before);
    await expect
      .poll(async () => (await server.call("GET", account)).account.api_key.last_used_at)
      .toBe(stored?.lastUsedAt?.toISOString());
    expect((await server.call("GET", account, { headers: { "If-None-Match": tag } })).status).toBe(304);
  });
});

test("a public URL begins Location, the links of a list and the type of a problem", async () => {
  const publicUrl = "https://siteward.example/base";
  await using server = await startTestServer(engines.sqlite, { publicUrl });
  for (let number = 1; number <= 11; number += 1) {
    const created = await server.create(`site-${number}.example`);
    expect(created.header("Location")).toBe(`${publicUrl}${websites}/${number}`);
  }
  const { links } = (await server.call("GET", websites)).page;
  expect(links.first).toBe(`${publicUrl}${websites}`);
  expect(links.next).toMatch(`${publicUrl}${websites}?cursor=`);
  const refused = await server.call("POST", websites, { form: {} });
  expect(refused.problem.type).toBe(`${publicUrl}/docs/errors/validation_failed`);
});

test("a password that an update cannot store is not hashed", async () => {
  await using server = await startTestServer(engines.sqlite, { passwords: { hash: () => expect.unreachable() } });
  await server.create("example.com");
  const json = { privacy: 2, password: "correct horse" };
  const headers = { "If-Match": '"1-1-9"' };
  expect((await server.call("PUT", `${websites}/1`, { json, headers })).status).toBe(412);
  expect((await server.call("PUT", `${websites}/2`, { json })).status).toBe(404);
});
