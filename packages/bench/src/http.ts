import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Siteward } from "@siteward/sdk";
import { median } from "../../../scripts/median.ts";
import { printTable } from "../../../scripts/print-table.ts";
import { type LoadResult, load } from "./load.ts";
import { type StartedProcess, startProcess } from "./started-process.ts";

const websiteCount = 1_000;
const rounds = 3;
const warmUpSeconds = 3;
const measureSeconds = 6;
const mebibyte = 1024 * 1024;

const scenarios = { "get one": "/api/v1/websites/500", "list ten": "/api/v1/websites" } as const;

const serverPackage = createRequire(import.meta.url).resolve("@siteward/server/package.json");
const serverBin = join(serverPackage, "../bin/siteward-server.js");
const folder = mkdtempSync(join(tmpdir(), "siteward-bench-"));
const databaseFile = join(folder, "siteward.db");

try {
  await measureAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Measures the complete server compared with two references that run the same queries. All three run in turn. */
async function measureAll(): Promise<void> {
  await using service = await startProcess([serverBin, "start", "--bootstrap", "--port", "0"], {
    DATABASE_URL: `file:${databaseFile}`,
    NODE_ENV: "production",
  });
  const idleBytes = service.residentBytes();
  const apiKey = /swk_\w+/.exec(service.output.join("\n"))?.[0] ?? "";
  await seed(new Siteward({ apiKey, baseUrl: service.url }));
  await using bareExpress = await startProcess([reference("bare-express"), databaseFile]);
  await using bareHttp = await startProcess([reference("bare-node-http"), databaseFile]);
  const targets = { Siteward: service, "bare Express 5": bareExpress, "bare node:http": bareHttp };
  for (const [scenario, path] of Object.entries(scenarios)) {
    printScenario(scenario, await measure(targets, path, apiKey));
  }
  console.log(`\nMemory of the idle server: ${(idleBytes / mebibyte).toFixed(0)} MiB`);
}

async function seed(siteward: Siteward): Promise<void> {
  for (let index = 1; index <= websiteCount; index += 1) {
    await siteward.websites.create({ domain: `site-${index}.example.com`, exclude_ips: ["203.0.113.0/24"] });
  }
}

async function measure(targets: Record<string, StartedProcess>, path: string, apiKey: string) {
  const results = new Map<string, LoadResult[]>(Object.keys(targets).map((name) => [name, []]));
  for (const { url } of Object.values(targets)) await load(`${url}${path}`, { apiKey, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { url }] of Object.entries(targets)) {
      results.get(name)?.push(await load(`${url}${path}`, { apiKey, seconds: measureSeconds }));
    }
  }
  return results;
}

function printScenario(scenario: string, results: ReadonlyMap<string, readonly LoadResult[]>): void {
  const perSecond = (name: string) => median((results.get(name) ?? []).map((result) => result.requestsPerSecond));
  console.log(`\n${scenario} (median of ${rounds} rounds of ${measureSeconds} s)`);
  printTable(
    ["requests/s", "p99 ms", "of bare Express"],
    [...results.keys()].map((name) => [
      name,
      Math.round(perSecond(name)),
      median((results.get(name) ?? []).map((result) => result.p99Ms)),
      `${(perSecond(name) / perSecond("bare Express 5")).toFixed(2)}×`,
    ]),
  );
}

function reference(name: string): string {
  return fileURLToPath(new URL(`./references/${name}.ts`, import.meta.url));
}
