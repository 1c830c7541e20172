import { Agent, createServer, get } from "node:http";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
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
/** First, visits are those of so many websites. */
const warmCount = 5_000;
/** A fifth of the visits are those of bots, which an edge drops. */
const botEvery = 5;
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface Proxy {
  readonly title: string;
  readonly url: string;
  readonly processId: number;
}

/** What a visit took, on average or as a percentile. Refused are those that were not answered with 200. */
type Figures = Readonly<Record<"cpuMicroseconds" | "p50Ms" | "p99Ms" | "refused", number>>;

/** How often each visit arrived, and whether it was cleaned. */
const arrived = new Map<number, { times: number; isClean: boolean }>();
let nextVisit = 0;

await using seeded = await createSeededFile(websiteCount);
const database = new DatabaseSync(seeded.file);
database.exec(`update websites set exclude_bots = 1, exclude_params = '["utm_*","gclid"]'`);
database.close();
await using server = await startServer(`file:${seeded.file}`);
await using peer = await listen(
  createServer(({ url = "" }, response) => {
    const visit = Number(/%26n%3D(\d+)/.exec(url)?.[1]);
    const times = (arrived.get(visit)?.times ?? 0) + 1;
    arrived.set(visit, { times, isClean: !url.includes("utm_") });
    response.writeHead(200, { "Content-Type": "image/gif", "Content-Length": 2 }).end("ok");
  }),
);
const bareProgram = fileURLToPath(new URL("references/bare-proxy.ts", import.meta.url));
const own = { SITEWARD_BASE_URL: server.url, SITEWARD_API_KEY: seeded.apiKey, SITEWARD_EDGE_COLLECT: "matomo" };
const places = { SITEWARD_EDGE_LISTEN: "127.0.0.1:0", SITEWARD_EDGE_OPERATE: "off", SITEWARD_EDGE_PEER: peer.url };
await using edge = await start("edge", edgeBin, { ...own, ...places });
await using bare = await start("bare node:http", bareProgram, { PEER: peer.url });
const proxies = [edge, bare];
console.log(`Memory with ${formatCount(websiteCount)} websites: ${formatMegabytes(readResidentBytes(edge.processId))}`);

const websiteOf = (visit: number) => visit % warmCount;
// V8 compiles what runs often, and more of it in the edge.
for (const proxy of proxies) await send(proxy, { perSecond: 1_000, seconds: 20, websiteOf });
await compare(7, { perSecond: 500, seconds: 4, websiteOf });
console.log("Now each visit is that of another website, whose rules are not compiled yet");
await compare(5, { perSecond: 1_000, seconds: 12, websiteOf: (visit) => visit % websiteCount });
console.log(`Memory after these: ${formatMegabytes(readResidentBytes(edge.processId))}`);

/** Starts a proxy in its own process, and waits until it listens. */
async function start(title: string, program: string, settings: Readonly<Record<string, string>>) {
  const { PATH } = process.env;
  const running = startProcess([process.execPath, program], { cwd: seeded.folder, env: { PATH, ...settings } });
  process.on("exit", () => running.child.kill("SIGKILL"));
  const log = await running.printed("listening", "stderr");
  const { on } = JSON.parse(log.trim().split("\n").at(-1) ?? "");
  const processId = running.child.pid ?? 0;
  return { title, url: `http://${on}`, processId, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly websiteOf: (visit: number) => number;
}

/**
 * Sends visits at a rate, whether or not those before are answered.
 *
 * @throws Error if one that was answered did not arrive once, and through an edge cleaned, or a bot's arrived
 */
async function send(proxy: Proxy, { perSecond, seconds, websiteOf }: Load): Promise<Figures> {
  arrived.clear();
  const histogram = createHistogram();
  const agent = new Agent({ keepAlive: true });
  const [first, count, cpuSeconds] = [nextVisit, perSecond * seconds, readCpuSeconds(proxy.processId)];
  const visits: Promise<boolean>[] = [];
  const startMs = performance.now();
  while (visits.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startMs) / 1000) * perSecond));
    for (; visits.length < due; nextVisit += 1) {
      const page = `https://${domainOf(websiteOf(nextVisit) + 1)}/a?utm_source=mail&a=1&n=${nextVisit}`;
      visits.push(sendVisit(`${proxy.url}/matomo.php?idsite=1&url=${encodeURIComponent(page)}`, agent, histogram));
    }
    await sleep(2);
  }
  const answered = await Promise.all(visits);
  agent.destroy();
  const wrong = answered.filter((isAnswered, index) => {
    const { times, isClean } = arrived.get(first + index) ?? { times: 0, isClean: true };
    const isDropped = proxy === edge && (first + index) % botEvery === 0;
    return isAnswered && (times !== (isDropped ? 0 : 1) || (proxy === edge && !isClean));
  });
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${count} visits through ${proxy.title} did not arrive as due.`);
  const cpuMicroseconds = ((readCpuSeconds(proxy.processId) - cpuSeconds) / count) * 1e6;
  const [p50Ms = Number.NaN, p99Ms = Number.NaN] = [50, 99].map((share) => histogram.percentile(share) / 1000);
  return { cpuMicroseconds, p50Ms, p99Ms, refused: answered.filter((isAnswered) => !isAnswered).length };
}

async function sendVisit(url: string, agent: Agent, histogram: RecordableHistogram): Promise<boolean> {
  const userAgent = nextVisit % botEvery === 0 ? "curl/8.14.1" : browser;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const sentMs = performance.now();
  get(url, { agent, headers: { "User-Agent": userAgent, "X-Forwarded-For": "198.51.100.7" } }, (answer) => {
    answer.resume().on("end", () => resolve(answer.statusCode === 200));
  }).on("error", () => resolve(false));
  return await promise.finally(() => histogram.record(Math.max(1, Math.round((performance.now() - sentMs) * 1000))));
}

/** Sends the same load through both in turn, and prints the medians. */
async function compare(rounds: number, load: Load): Promise<void> {
  const { perSecond, seconds } = load;
  const results = await measureInTurn(proxies, (proxy, length) => send(proxy, { ...load, seconds: length }), {
    rounds,
    seconds,
  });
  const rows = proxies.map((proxy, index) => {
    const read = (name: keyof Figures, of = index) => median((results[of] ?? []).map((figures) => figures[name]));
    const ratio = (name: keyof Figures) => formatRatio(read(name) / read(name, 1));
    const cpu = [formatCount(read("cpuMicroseconds")), ratio("cpuMicroseconds")];
    return [
      proxy.title,
      ...cpu,
      formatMs(read("p50Ms")),
      formatMs(read("p99Ms")),
      ratio("p99Ms"),
      `${read("refused")}`,
    ];
  });
  console.log(`\n${formatCount(perSecond)} visits/s, medians of ${rounds} rounds of ${seconds} s in turn`);
  printTable(["Proxy", "CPU µs a visit", "of bare", "p50 ms", "p99 ms", "of bare", "refused"], rows);
}
