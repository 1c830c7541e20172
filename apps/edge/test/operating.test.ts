import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { listen } from "@siteward/testing/listen";
import { expect, test } from "vitest";
import { type Sent, useSetting } from "./support/edge.ts";
import { startPeer } from "./support/peer.ts";

const setting = useSetting();

const visit = (url: string, who = {}): Sent => ({
  method: "GET",
  path: `/matomo.php?idsite=1&url=${encodeURIComponent(url)}`,
  headers: {
    "x-forwarded-for": "198.51.100.44",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Secretive",
    ...who,
  },
});
const bot = { "user-agent": "SecretAgent bot" };
const office = { "x-forwarded-for": "203.0.113.44" };
const visits = [
  ...[visit("https://shop.example/secret?utm_source=a"), visit("https://shop.example/secret")],
  ...[visit("https://shop.example/secret", bot), visit("https://shop.example/secret", office)],
  ...[visit("https://shop.example/secret", office), visit("https://secret.example/"), visit("https:// secret")],
];

const invalid = [
  "COLLECT=piwik COLLECT=json:/collect COLLECT=json:/x:a.* PEER=127.0.0.1:8080 PEER=http://127.0.0.1:8080/matomo LISTEN=3200 OPERATE=on",
  "TRUST_PROXY=everybody TRUST_PROXY=0.0.0.0/0 UNKNOWN=deny DRY_RUN=yes DRYRUN=on SITEWARD_API_KEY=x",
].flatMap((settings) => settings.split(" "));
test.for(invalid)("%s ends with 2, and a line that names the setting", async (text) => {
  const [name = "", value = ""] = text.split("=");
  const edge = await setting.start({ [name]: value });
  const named = name.startsWith("SITEWARD_") ? name : `SITEWARD_EDGE_${name}`;
  const { exitCode, stderr } = await edge.ended;
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^.*${named}.*\n$`))]);
});

test.for(["LISTEN", "OPERATE"])(
  "a port of %s that is taken ends with 1, and says which setting to change",
  async (name) => {
    await using taken = await listen(createServer());
    const edge = await setting.start({ [name]: `127.0.0.1:${taken.port}` });
    const { exitCode, stderr } = await edge.ended;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`SITEWARD_EDGE_${name}`)]);
  },
);

test("the operator's address has the state and counts, and the other one has none of them", async () => {
  const edge = await setting.open();
  for (const sent of visits) await edge.send(sent);
  await edge.send({ method: "GET", path: "/metrics" });
  expect(setting.peer.take().at(-1)?.path).toBe("/metrics");
  expect(await edge.read("/livez")).toBe("ok\n");
  const ready = JSON.parse(await edge.read("/readyz"));
  expect(ready).toMatchObject({ status: "ready", websites: 3, settings_are_stale: false, dry_run: false });
  expect(ready.settings_age_seconds).toBeLessThan(60);
  const lines = (await edge.read("/metrics"))
    .split("\n")
    .filter((line) => /^siteward_edge_(visits|requests)/.test(line));
  expect(lines.toSorted()).toEqual(
    [
      ...['requests_total{kind="collect"} 7', 'requests_total{kind="other"} 1', 'visits_total{result="bot"} 1'],
      ...['visits_total{result="cleaned"} 1', 'visits_total{result="counted"} 1', 'visits_total{result="ip"} 2'],
      ...['visits_total{result="malformed"} 1', 'visits_total{result="unknown"} 1'],
    ].map((line) => `siteward_edge_${line}`),
  );
});

test("docs/edge.md has exactly the settings and the metrics", async () => {
  const page = await readFile(new URL("../../../docs/edge.md", import.meta.url), "utf8");
  const rows = (name: RegExp) => [...page.matchAll(name)].map(([, found]) => found);
  const { stderr } = await (await setting.start({ UNHEARD_OF: "on" })).ended;
  expect(rows(/^\| `(SITEWARD_EDGE_\w+)` \| (?:none|`)/gm)).toEqual(
    /Use one of (.*), or/.exec(stderr)?.[1]?.split(", "),
  );
  const metrics = await (await setting.open()).read("/metrics");
  const known = [...metrics.matchAll(/^# TYPE (siteward_edge_\w+)/gm)].map(([, name]) => name);
  expect(rows(/^\| `(siteward_edge_\w+)`/gm).toSorted()).toEqual(known.toSorted());
});

test("a dry run passes everything on as it came, and logs what would have been done, counted", async () => {
  const edge = await setting.open({ DRY_RUN: "on" });
  for (const sent of visits) await edge.send(sent);
  expect(setting.peer.take().map(({ path }) => path)).toEqual(visits.map(({ path }) => path));
  await edge.stop();
  const lines = edge.written.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ msg }) => msg === "dry run");
  expect(told.map(({ would, reason, domain, visits: count }) => [would, reason, domain, count])).toEqual([
    ["clean", "counted", "shop.example", 1],
    ["drop", "bot", "shop.example", 1],
    ["drop", "ip", "shop.example", 2],
    ["drop", "malformed", undefined, 1],
  ]);
  expect(told.map(({ rule }) => rule)).toContain("exclude_ips 1");
});

test.for(["on", "off"])("the log has no URL, address or user agent of a visitor: dry run %s", async (DRY_RUN) => {
  await using closing = await startPeer((request) => request.socket.destroy());
  const edge = await setting.open({
    PEER: closing.url,
    DRY_RUN,
    UNKNOWN: "drop",
    TRUST_PROXY: DRY_RUN === "on" ? "off" : "loopback",
  });
  for (const sent of visits) await edge.send(sent);
  await edge.stop();
  expect(edge.written.stderr).toContain("does not answer");
  expect(edge.written.stderr + edge.written.stdout).not.toMatch(/secret|198\.51|203\.0|utm_/i);
});
