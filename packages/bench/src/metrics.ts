import { median } from "../../../scripts/median.ts";
import { printTable } from "../../../scripts/print-table.ts";
import { startEngine } from "./engines/start-engine.ts";
import { formatMegabytes } from "./format.ts";
import { measureInTurn } from "./measure/measure-in-turn.ts";
import type { Served } from "./measure/measure-load.ts";
import { measureRequests } from "./measure/measure-requests.ts";
import { type ScenarioName, scenarios } from "./measure/scenarios.ts";
import { startTarget } from "./measure/targets.ts";
import { runBenchmark } from "./run-benchmark.ts";

const variants = { off: { SITEWARD_METRICS: "off" }, on: { SITEWARD_METRICS: "127.0.0.1:0" } } as const;
type Variant = keyof typeof variants;
const names = ["off", "on"] as const satisfies readonly Variant[];
const parts = ["get", "update"] as const satisfies readonly ScenarioName[];

/** `pnpm bench metrics`: compares the built server with metrics and without, in turn. */
await runBenchmark({ engines: ["sqlite"], only: parts, rounds: 15, seconds: 1, websites: 1_000 }, async (options) => {
  const [engineName = "sqlite"] = options.engines;
  await using engine = await startEngine(engineName);
  await using stack = new AsyncDisposableStack();
  const served = new Map<Variant, Served>();
  for (const name of names) {
    const database = await engine.createDatabase(options.websites);
    const server = stack.use(await startTarget("siteward", database.url, { environment: variants[name] }));
    served.set(name, { database, server });
  }
  const memory = names.map((name) => formatMegabytes(served.get(name)?.server.usage().residentBytes ?? 0));
  console.log(`Memory of the idle server: ${memory[0]} with metrics off, ${memory[1]} with metrics on`);
  console.log(`Processor time per answer, medians of ${options.rounds} rounds of ${options.seconds} s in turn`);
  const rows: string[][] = [];
  for (const part of options.only) {
    const { title, request, callers } = scenarios[part];
    const results = await measureInTurn(names, options, async (name, seconds) => {
      const target = served.get(name);
      if (target === undefined) throw new Error(`The server with metrics ${name} has not started.`);
      return (await measureRequests(engine, target, { request, callers, seconds })).cpuMicroseconds;
    });
    // What else the machine does changes from round to round, and is nearly the same within one.
    const ratios = results.on.map((on, round) => on / (results.off[round] ?? on));
    const [off, on] = names.map((name) => `${median(results[name]).toFixed(1)} µs`);
    rows.push([title, off ?? "", on ?? "", `${((median(ratios) - 1) * 100).toFixed(1)} %`]);
  }
  printTable(["off", "on", "more"], rows);
});
