import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

test("a mirror follows a server, sees a change among many in one request, and serves on when its key is revoked and the server ends", {
  timeout: 60_000,
}, async () => {
  await using folder = createFolder();
  await using server = await startBuiltServer();
  const { apiKey } = await server.createAccount();
  const statuses: number[] = [];
  const siteward = new Siteward({
    apiKey,
    baseUrl: server.url,
    onResponse: ({ method, status }) => method === "GET" && statuses.push(status),
  });
  const domains = Array.from({ length: 150 }, (_, index) => `site-${index}.example`);
  await Promise.all(domains.map((domain) => siteward.websites.create({ domain })));
  const [errors, changes]: [unknown[], unknown[]] = [[], []];
  const options = { file: join(folder.path, "mirror"), intervalMs: 600_000 };
  const mirror = await mirrorWebsites(siteward, {
    ...options,
    onChange: ({ kind, website }) => changes.push([kind, website.id]),
    onError: (error) => errors.push(Reflect.get(Object(error), "code")),
  });
  expect(new Set([...mirror].map(({ domain }) => domain))).toEqual(new Set(domains));
  expect(statuses.splice(0)).toEqual([200, 200, 304]);

  await siteward.websites.update(7, { exclude_ips: ["203.0.113.7"] });
  await mirror.sync();
  await mirror.sync();
  expect(statuses).toEqual([200, 304]);
  expect([changes, mirror.byId(7)?.exclude_ips]).toEqual([[["updated", 7]], ["203.0.113.7"]]);
  expect(mirror.byId(7)).toEqual(await siteward.websites.get(7));

  await server.operate("keys", "revoke", apiKey.slice(0, 12));
  await expect.poll(() => mirror.sync().catch(({ code }) => code), { timeout: 10_000 }).toBe("unauthenticated");
  await server.stop();
  await mirror.sync().catch(() => {});
  expect([errors, mirror.size, mirror.isStale]).toEqual([["unauthenticated", "connection_failed"], 150, false]);
  await mirror.close();

  const fromFile = await mirrorWebsites(siteward, { ...options, onError: () => {} });
  expect([fromFile.size, fromFile.byDomain("site-7.example")?.id]).toEqual([
    150,
    mirror.byDomain("site-7.example")?.id,
  ]);
  await fromFile.close();
});

function createFolder(): { readonly path: string } & AsyncDisposable {
  const path = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  return { path, [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }) };
}
