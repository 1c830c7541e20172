import { join } from "node:path";
import { generateApiKey } from "@siteward/testing/engines/account-rows";
import { startProxy } from "@siteward/testing/proxy";
import { expect, test, vi } from "vitest";
import { type Edge, useSetting } from "./support/edge.ts";

const sent = { method: "GET", path: `/matomo.php?idsite=1&url=${encodeURIComponent("https://shop.example/")}` };
const patience = { timeout: 60_000, interval: 50 };
const setting = useSetting();

/** A way to Siteward that can be cut. */
async function openWay(isOpen: boolean) {
  const way = { isOpen, tries: 0 };
  const proxy = await startProxy(setting.siteward.credentials.SITEWARD_BASE_URL, ({ cut }) => {
    way.tries += 1;
    if (!way.isOpen) cut();
    return { answered: (bytes) => (way.isOpen ? bytes : void cut()) };
  });
  return Object.assign(way, {
    settings: { SITEWARD_BASE_URL: proxy.url },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  });
}

/** Whether a bot is dropped, as only the rules of the website ask for. */
async function obeys(edge: Edge): Promise<boolean> {
  await edge.send({ ...sent, headers: { "user-agent": "curl/8.14.1" } });
  return setting.peer.take().length === 0;
}

test("without a file, an edge does not listen before Siteward answers, and tries again until it does", async () => {
  await using way = await openWay(false);
  const edge = await setting.start(way.settings);
  await vi.waitUntil(() => way.tries > 2, patience);
  await expect(edge.send(sent)).rejects.toThrow("ECONNREFUSED");
  way.isOpen = true;
  await edge.listens();
  expect(await obeys(edge)).toBe(true);
});

test("SIGTERM ends an edge that waits for Siteward", async () => {
  await using way = await openWay(false);
  const edge = await setting.start(way.settings);
  await vi.waitUntil(() => way.tries > 0, patience);
  expect(await edge.stop()).toBe(0);
});

test("an edge obeys the last rules while Siteward is away, and starts with those of its file", async () => {
  await using way = await openWay(true);
  const first = await setting.open(way.settings);
  way.isOpen = false;
  expect(await obeys(first)).toBe(true);
  expect(await first.stop()).toBe(0);
  const FILE = join(first.folder, "siteward-edge.websites");
  const second = await setting.open({ ...way.settings, FILE });
  expect(await obeys(second)).toBe(true);
  expect(JSON.parse(await second.read("/readyz"))).toMatchObject({ status: "ready", websites: 3 });
});

test("an edge whose key is refused at its first start ends with 4, and says so", async () => {
  const edge = await setting.start({ SITEWARD_API_KEY: generateApiKey() });
  const { exitCode, stderr } = await edge.ended;
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining("API key")]);
});
