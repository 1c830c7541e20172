import { mkdtempDisposableSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateWebsite, Siteward } from "@siteward/sdk";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { type Listening, listen } from "@siteward/testing/listen";
import { startServer } from "@siteward/testing/servers/start-server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { browser, type Collector, startCollector, token } from "./support/start-collector.ts";

const shop: CreateWebsite = { domain: "shop.example", exclude_ips: ["203.0.113.0/24"], exclude_params: ["utm_*"] };
const websites: readonly CreateWebsite[] = [
  shop,
  { domain: "blog.shop.example", exclude_bots: 0 },
  { domain: "www.bücher.example", exclude_ips: ["127.0.0.1"] },
];
const page = "https://shop.example/a?utm_source=mail&q=1";
const verdictHeader = "x-siteward-verdict";
const patient = { timeout: 60_000 };

let server: BuiltServer;
let service: { readonly apiKey: string; readonly url: string };

beforeAll(async () => {
  server = await startBuiltServer();
  const { apiKey } = await server.createAccount();
  service = { apiKey, url: server.url };
  const siteward = new Siteward({ apiKey, baseUrl: server.url });
  for (const website of websites) await siteward.websites.create(website);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe.concurrent("examples/collector", () => {
  test("writes the visits that count, says why others do not, and believes nobody without the token", async () => {
    using folder = createFolder();
    await using collector = await startCollector(folder.path, service);
    const answers = [
      await collector.send(page, { "x-forwarded-for": "203.0.113.7" }),
      await collector.send(page, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" }),
      await collector.send("https://unknown.example/"),
      await collector.send("http://bücher.example:8080/ü#x"),
      await collector.send("https://blog.shop.example/", { "user-agent": "curl/8.0" }),
      await fetch(`${collector.url}/pixel.gif?url=${encodeURIComponent(page)}`, { headers: { "user-agent": browser } }),
    ];
    // A stranger gets the same answer, whether the visit counts or not.
    for (const { status, headers } of answers) {
      expect([status < 300, headers.get("access-control-allow-origin"), headers.get(verdictHeader)]).toEqual([
        true,
        "*",
        null,
      ]);
    }
    const verdicts = [
      await collector.judge({ url: page, ip: "198.51.100.7" }),
      await collector.judge({ url: page, ip: "::ffff:203.0.113.7" }),
      await collector.judge({ url: page, user_agent: "curl/8.0" }),
      await collector.judge({ url: "https://deep.blog.shop.example/" }),
      await collector.judge({ url: "https://bücher.example/", ip: "127.0.0.1" }),
      await collector.judge({ url: "https://a.example/" }),
    ];
    expect(verdicts).toEqual([
      "counted for website 1",
      expect.stringMatching(/^not counted: .*::ffff:203\.0\.113\.7 .*203\.0\.113\.0\/24/),
      expect.stringMatching(/^not counted: .*curl\/8\.0/),
      "not counted: No website of the account has the host of the page.",
      expect.stringMatching(/^not counted: .*127\.0\.0\.1/),
      "not counted: No website of the account has the host of the page.",
    ]);
    expect(await collector.stop()).toBe(0);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const counted = { time, website_id: 1, domain: "shop.example", url: "https://shop.example/a?q=1" };
    const onBlog = { time, website_id: 2, domain: "blog.shop.example", url: "https://blog.shop.example/" };
    expect(collector.lines()).toEqual([counted, onBlog, counted, counted]);
    expect(collector.errors()).toBe("");
  });

  test("obeys changes, and the last settings while Siteward is away, also if it starts then", async () => {
    using folder = createFolder();
    await using first = await startBuiltServer();
    const { apiKey } = await first.createAccount();
    const { url, port } = first;
    const siteward = new Siteward({ apiKey, baseUrl: url });
    const { id } = await siteward.websites.create(shop);
    const fromOffice = { url: page, ip: "198.51.100.7" };
    const fromHome = { url: page, ip: "192.0.2.1" };
    const counted = "counted for website 1";

    await using collector = await startCollector(folder.path, { apiKey, url });
    expect(await collector.judge(fromHome)).toBe(counted);
    await siteward.websites.update(id, { exclude_ips: ["192.0.2.1"] });
    const refused = /^not counted: .*192\.0\.2\.1/;
    await vi.waitFor(async () => expect(await collector.judge(fromHome)).toMatch(refused), patient);

    await first.kill();
    const expectLastSettings = async (running: Collector) => {
      expect(await running.judge(fromHome)).toMatch(refused);
      expect(await running.judge(fromOffice)).toBe(counted);
      const ready = await fetch(`${running.url}/readyz`);
      expect(ready.status).toBe(200);
      const settings = { settings_age_seconds: expect.any(Number), settings_are_stale: false };
      expect(await ready.json()).toEqual({ status: "ready", ...settings });
    };
    await expectLastSettings(collector);
    expect(await collector.stop()).toBe(0);
    await using restarted = await startCollector(folder.path, { apiKey, url });
    await expectLastSettings(restarted);

    await using _second = await startServer(first.databaseUrl, { port });
    await siteward.websites.update(id, { exclude_ips: [] });
    await vi.waitFor(async () => expect(await restarted.judge(fromHome)).toBe(counted), patient);
    await siteward.websites.delete(id);
    await vi.waitFor(async () => expect(await restarted.judge(fromHome)).toMatch(/^not counted: No website/), patient);
  });

  test("takes an address from X-Forwarded-For only behind a proxy that it was told of", async () => {
    using folder = createFolder();
    await using collector = await startCollector(folder.path, service, { COLLECTOR_TRUST_PROXY: "127.0.0.1" });
    for (const forwarded of ["203.0.113.7", "198.51.100.7", "203.0.113.7, 198.51.100.8", "198.51.100.8, 203.0.113.7"]) {
      await collector.send(`https://shop.example/?from=${encodeURIComponent(forwarded)}`, {
        "x-forwarded-for": forwarded,
      });
    }
    await vi.waitFor(() => expect(collector.lines()).toHaveLength(2), patient);
    const urls = collector.lines().map(({ url }) => decodeURIComponent(String(url)));
    expect(urls).toEqual(
      ["198.51.100.7", "203.0.113.7, 198.51.100.8"].map((from) => `https://shop.example/?from=${from}`),
    );
  });

  test("refuses what it cannot read by its field, and writes nothing of it", async () => {
    using folder = createFolder();
    await using collector = await startCollector(folder.path, service);
    const authorization = `Bearer ${token}`;
    const refusals: readonly (readonly [string, Readonly<Record<string, string>>, number, string | undefined])[] = [
      ["{}", {}, 400, "url"],
      [JSON.stringify({ url: `https://shop.example/${"a".repeat(4000)}` }), {}, 400, "url"],
      [JSON.stringify({ url: page, referrer: "" }), {}, 400, "referrer"],
      [JSON.stringify({ url: page, ip: "192.0.2.1" }), {}, 403, "ip"],
      [JSON.stringify({ url: page, user_agent: browser }), {}, 403, "user_agent"],
      [JSON.stringify({ url: page, ip: "192.0.2.1:80", user_agent: browser }), { authorization }, 400, "ip"],
      [JSON.stringify({ url: page }), { authorization: `${authorization}x` }, 401, undefined],
      [JSON.stringify({ url: page, ip: "a".repeat(9000) }), {}, 413, undefined],
      [JSON.stringify({ url: page }), { "content-encoding": "gzip" }, 415, undefined],
    ];
    for (const [body, headers, status, field] of refusals) {
      const response = await fetch(`${collector.url}/event`, { method: "POST", body, headers });
      // Each refusal has a message.
      const { message, ...rest } = (await response.json()) as { message: unknown; field?: unknown };
      expect([response.status, rest.field, typeof message], body.slice(0, 100)).toEqual([status, field, "string"]);
    }
    const show = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${collector.url}/pixel.gif?${new URLSearchParams(fields)}`, { headers })).status;
    expect(await show({})).toBe(400);
    expect(await show({ url: page, user_agent: browser }, { authorization: `${authorization}x` })).toBe(401);
    expect(await show({ url: page, ip: "198.51.100.7" })).toBe(403);
    expect((await fetch(`${collector.url}/`)).status).toBe(404);
    expect(await collector.stop()).toBe(0);
    expect(collector.lines()).toEqual([]);
    expect(collector.errors()).toBe("");
  });

  test.for([
    [{ COLLECTOR_PORT: "70000" }, /port should be >= 0 and < 65536\. Received type number \(70000\)/],
    [{ COLLECTOR_TOKEN: "secret" }, /COLLECTOR_TOKEN is too short/],
    [{ COLLECTOR_TRUST_PROXY: "off" }, /invalid IP address: off/],
    [{ SITEWARD_API_KEY: "" }, /SITEWARD_API_KEY/],
  ] as const)("does not start with %o, and says why in one line", async ([settings, message]) => {
    using folder = createFolder();
    const oneLine = new RegExp(`^It ended with 1: .*${message.source}.*\n$`);
    await expect(startCollector(folder.path, service, settings)).rejects.toThrow(oneLine);
  });

  test.skipIf(lacksProgram("chromium"))(
    "counts each page that a browser shows once, with its script or its image",
    async () => {
      using folder = createFolder();
      await using collector = await startCollector(folder.path, service);
      const scripted = `<script defer src="${collector.url}/script.js"></script>`;
      const image = `<img alt="" src="${collector.url}/pixel.gif?url=${encodeURIComponent("https://shop.example/image")}">`;
      await using shown = await servePages({ "/script": scripted, "/image": image });
      await using chromium = await launchBrowser(["--host-resolver-rules=MAP shop.example 127.0.0.1"]);
      const tab = await chromium.newPage({ userAgent: browser });
      const faults: string[] = [];
      tab.on("console", (message) => faults.push(message.text()));
      for (const path of ["/script?utm_source=mail", "/image"]) {
        await tab.goto(`http://shop.example:${shown.port}${path}`, { waitUntil: "networkidle" });
      }
      expect(faults).toEqual([]);
      expect(await tab.context().cookies()).toEqual([]);
      await vi.waitFor(() => expect(collector.lines().length).toBeGreaterThan(1), patient);
      const urls = collector.lines().map(({ url }) => url);
      expect(urls).toEqual([`http://shop.example:${shown.port}/script`, "https://shop.example/image"]);
    },
  );
});

function servePages(bodies: Readonly<Record<string, string>>): Promise<Listening> {
  const pages = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Page</title>${bodies[path] ?? ""}`);
  });
  return listen(pages);
}

const createFolder = () => mkdtempDisposableSync(join(tmpdir(), "siteward-collector-"));
