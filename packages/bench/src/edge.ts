import { Agent, createServer, get } from "node:http";
import { createHistogram } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { listen } from "@siteward/testing/listen";
import { readCpuSeconds, readResidentBytes } from "@siteward/testing/process-tree";
import { edgeBin } from "@siteward/testing/servers/built-programs";
import { startServer } from "@siteward/testing/servers/start-server";
import { startProcess } from "@siteward/testing/start-process";
import { createSeededFile } from "./engines/seeded-file.ts";
import { formatCount, formatMegabytes, formatMs, formatRatio } from "./format.ts";
import { domainOf } from "./load/domain-of.ts";
import { measureInTurn, median } from "./measure/measure-in-turn.ts";
import { printTable } from "./print-table.ts";

/** `pnpm bench edge`: compares the built edge with a proxy of node:http that forwards everything. */
const websiteCount = 100_000;
/** Visits are those of so many websites, whose rules are compiled before. */
const warmCount = 5_000;
const coldSeconds = 60;
/** A fifth of the visits are those of bots, which an edge drops. */
const botEvery = 5;
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface Proxy {
  readonly title: string;
  readonly url: string;
  readonly processId: number;
  /** Which of the visits that were sent reach the peer. */
  readonly isDue: (visit: number) => boolean;
}

interface Figures {
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How often each visit arrived. */
const arrived = new Map<number, number>();
let uncleaned = 0;
let nextVisit = 0;

await using seeded = await createSeededFile(websiteCount);
const database = new DatabaseSync(seeded.file);
database.exec(`update websites set exclude_bots = 1, exclude_params = '["utm_*","gclid"]'`);
database.close();
await using server = await startServer(`file:${seeded.file}`);
await using peer = await listen(
  createServer(({ url = "" }, response) => {
    const visit = Number(/%26n%3D(\d+)/.exec(url)?.[1]);
    arrived.set(visit, (arrived.get(visit) ?? 0) + 1);
    if (url.includes("utm_")) uncleaned += 1;
    response.writeHead(200, { "Content-Type": "image/gif", "Content-Length": 2 }).end("ok");
  }),
);
const bareProgram = fileURLToPath(new URL("references/bare-proxy.ts", import.meta.url));
const own = { SITEWARD_BASE_URL: server.url, SITEWARD_API_KEY: seeded.apiKey, SITEWARD_EDGE_COLLECT: "matomo" };
const listening = { SITEWARD_EDGE_LISTEN: "127.0.0.1:0", SITEWARD_EDGE_OPERATE: "off" };
await using edge = await start("edge", edgeBin, { ...own, ...listening, SITEWARD_EDGE_PEER: peer.url });
await using bare = await start("bare node:http", bareProgram, { PEER: peer.url });
const proxies = [edge, bare];

await send(edge, { perSecond: 1_000, seconds: warmCount / 1_000, websiteOf: (visit) => visit % warmCount });
const warm = await measureInTurn(
  proxies,
  (proxy, seconds) => send(proxy, { perSecond: 500, seconds, websiteOf: (visit) => visit % warmCount }),
  { rounds: 5, seconds: 4 },
);
print(`500 visits/s of ${formatCount(warmCount)} websites, medians of 5 rounds of 4 s in turn`, warm);
const cold: Figures[][] = [];
for (const proxy of proxies) {
  const first = nextVisit;
  const websiteOf = (visit: number) => warmCount + visit - first;
  cold.push([await send(proxy, { perSecond: 1_000, seconds: coldSeconds, websiteOf })]);
}
print(`1,000 visits/s for ${coldSeconds} s, each of a website whose rules are not compiled yet`, cold);
console.log(`Memory of the edge: ${formatMegabytes(readResidentBytes(edge.processId))}`);

/** Starts a proxy in its own process, and waits until it listens. */
async function start(title: string, program: string, settings: Readonly<Record<string, string>>) {
  const { PATH } = process.env;
  const running = startProcess([process.execPath, program], { cwd: seeded.folder, env: { PATH, ...settings } });
  const log = await running.printed("listening", "stderr");
  const { on } = JSON.parse(log.trim().split("\n").at(-1) ?? "");
  const isDue = (visit: number) => title !== "edge" || visit % botEvery !== 0;
  const processId = running.child.pid ?? 0;
  if (title === "edge")
    console.log(`Memory with ${formatCount(websiteCount)} websites: ${formatMegabytes(readResidentBytes(processId))}`);
  return { title, url: `http://${on}`, processId, isDue, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly websiteOf: (visit: number) => number;
}

/** Sends visits at a rate, whether or not those before are answered. @throws Error if one did not arrive once */
async function send(proxy: Proxy, { perSecond, seconds, websiteOf }: Load): Promise<Figures> {
  arrived.clear();
  const histogram = createHistogram();
  const agent = new Agent({ keepAlive: true });
  const [first, count, cpuSeconds] = [nextVisit, perSecond * seconds, readCpuSeconds(proxy.processId)];
  const visits: Promise<void>[] = [];
  const startMs = performance.now();
  while (visits.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startMs) / 1000) * perSecond));
    for (; visits.length < due; nextVisit += 1)
      visits.push(sendVisit(proxy.url, agent, websiteOf(nextVisit), histogram));
    await sleep(2);
  }
  await Promise.all(visits);
  agent.destroy();
  const used = readCpuSeconds(proxy.processId) - cpuSeconds;
  const missing = Array.from(visits, (_, index) => first + index).filter(
    (visit) => (arrived.get(visit) ?? 0) !== Number(proxy.isDue(visit)),
  );
  if (missing.length > 0)
    throw new Error(`${missing.length} of ${count} visits through ${proxy.title} did not arrive once.`);
  if (proxy.title === "edge" && uncleaned > 0) throw new Error(`${uncleaned} visits were not cleaned.`);
  uncleaned = 0;
  const [p50Ms, p99Ms] = [50, 99].map((share) => histogram.percentile(share) / 1000);
  return { cpuMicroseconds: (used / count) * 1e6, p50Ms: p50Ms ?? Number.NaN, p99Ms: p99Ms ?? Number.NaN };
}

function sendVisit(
  url: string,
  agent: Agent,
  website: number,
  histogram: ReturnType<typeof createHistogram>,
): Promise<void> {
  const page = encodeURIComponent(`https://${domainOf(website + 1)}/a?utm_source=mail&a=1&n=${nextVisit}`);
  const headers = {
    "User-Agent": nextVisit % botEvery === 0 ? "curl/8.14.1" : browser,
    "X-Forwarded-For": "198.51.100.7",
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sentMs = performance.now();
  get(`${url}/matomo.php?idsite=1&rec=1&url=${page}`, { agent, headers }, (answer) => {
    answer.resume().on("end", () => {
      histogram.record(Math.max(1, Math.round((performance.now() - sentMs) * 1000)));
      resolve();
    });
  }).on("error", reject);
  return promise;
}

function print(title: string, results: readonly (readonly Figures[])[]): void {
  console.log(`\n${title}`);
  const medianOf = (figures: readonly Figures[] = [], name: keyof Figures) => median(figures.map((one) => one[name]));
  const rows = proxies.map((proxy, index) => {
    const [cpu, p50, p99] = (["cpuMicroseconds", "p50Ms", "p99Ms"] as const).map((name) => [
      medianOf(results[index], name),
      medianOf(results[index], name) / medianOf(results[1], name),
    ]);
    return [
      proxy.title,
      formatCount(cpu?.[0] ?? 0),
      formatRatio(cpu?.[1] ?? 0),
      formatMs(p50?.[0] ?? 0),
      formatMs(p99?.[0] ?? 0),
      formatRatio(p99?.[1] ?? 0),
    ];
  });
  printTable(["Proxy", "CPU µs a visit", "of bare", "p50 ms", "p99 ms", "of bare"], rows);
}
