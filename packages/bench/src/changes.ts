import { median } from "../../../scripts/median.ts";
import { printTable } from "../../../scripts/print-table.ts";
import { type EngineName, engineNames, engineTitles } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { formatCount, formatMs } from "./format.ts";
import type { RequestTemplate } from "./load/request-template.ts";
import { measureInTurn } from "./measure/measure-in-turn.ts";
import type { Served } from "./measure/measure-load.ts";
import { measureRequests } from "./measure/measure-requests.ts";
import { scenarios } from "./measure/scenarios.ts";
import { startTarget } from "./measure/targets.ts";
import type { Options } from "./options.ts";
import { runBenchmark } from "./run-benchmark.ts";

const parts = ["get", "unchanged", "changed"] as const;
type Part = (typeof parts)[number];
const titles: Readonly<Record<Part, string>> = {
  get: "get one",
  unchanged: "changes since the newest (304)",
  changed: "changes since the one before (one website)",
};

/** `pnpm bench changes`: what it costs to follow the changes of a large account, compared with reading one website. */
await runBenchmark({ engines: engineNames, only: parts, rounds: 5, seconds: 1, websites: 100_000 }, async (options) => {
  console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s with one caller`);
  for (const name of options.engines) await measureEngine(name, options);
});

async function measureEngine(name: EngineName, options: Options<Part>): Promise<void> {
  await using engine = await startEngine(name);
  const database = await engine.createDatabase(options.websites);
  await using server = await startTarget("siteward", database.url);
  const served = { server, database };
  const requests = await prepareRequests(served);
  const results = await measureInTurn(options.only, options, (part, seconds) =>
    measureRequests(engine, served, { request: requests[part], callers: 1, seconds }),
  );
  console.log(`\n${engineTitles[name]}, ${formatCount(options.websites)} websites`);
  const rows = options.only.map((part) => [
    titles[part],
    formatMs(median(results[part].map(({ p50Ms }) => p50Ms))),
    median(results[part].map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(0),
    median(results[part].map(({ databaseMicroseconds }) => databaseMicroseconds)).toFixed(0),
  ]);
  printTable(["p50 ms", "CPU µs", "database µs"], rows);
}

/** Changes one website. */
async function prepareRequests({ server, database }: Served): Promise<Readonly<Record<Part, RequestTemplate>>> {
  const path = "/api/v1/websites";
  const headers = { Authorization: `Bearer ${database.apiKey}` };
  const readCursor = async (): Promise<string> => {
    const body = await (await fetch(`${server.url}${path}`, { headers })).text();
    return /"changes_cursor":"([^"]+)"/.exec(body)?.[1] ?? "";
  };
  const before = await readCursor();
  await fetch(`${server.url}${path}/1`, { method: "PUT", headers, body: new URLSearchParams({ privacy: "1" }) });
  const newest = await readCursor();
  if (before === "" || newest === before) throw new Error("The account has not told its change.");
  return {
    get: scenarios.get.request,
    unchanged: {
      method: "GET",
      path: `${path}?changed_since=${newest}`,
      headers: { "If-None-Match": `"${newest}"` },
    },
    changed: { method: "GET", path: `${path}?changed_since=${before}` },
  };
}
