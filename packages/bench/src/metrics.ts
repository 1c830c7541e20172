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
/** The same program takes up to 5 % more or less in another process, which is more than what is measured. */
const copies = [1, 2, 3, 4] as const;
const names = copies.flatMap((copy) => [`off ${copy}`, `on ${copy}`] as const);
type Name = (typeof names)[number];
const parts = ["get", "update"] as const satisfies readonly ScenarioName[];

/** `pnpm bench metrics`: compares built servers with metrics and without, in turn, several processes of each. */
await runBenchmark({ engines: ["sqlite"], only: parts, rounds: 8, seconds: 1, websites: 1_000 }, async (options) => {
  const [engineName = "sqlite"] = options.engines;
  await using engine = await startEngine(engineName);
  await using stack = new AsyncDisposableStack();
  const served = new Map<Name, Served>();
  for (const name of names) {
    const database = await engine.createDatabase(options.websites);
    const environment = name.startsWith("on") ? variants.on : variants.off;
    const server = stack.use(await startTarget("siteward", database.url, { environment }));
    served.set(name, { database, server });
  }
  const memory = (["off 1", "on 1"] as const).map((name) =>
    formatMegabytes(served.get(name)?.server.usage().residentBytes ?? 0),
  );
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
    const meanOf = (variant: keyof typeof variants, round: number) =>
      copies.reduce((sum, copy) => sum + (results[`${variant} ${copy}`][round] ?? 0), 0) / copies.length;
    const rounds = results["off 1"].map((_, round) => ({ off: meanOf("off", round), on: meanOf("on", round) }));
    const off = median(rounds.map((round) => round.off));
    const on = median(rounds.map((round) => round.on));
    // What else the machine does changes from round to round, and is nearly the same within one.
    const more = (median(rounds.map((round) => round.on / round.off)) - 1) * 100;
    rows.push([title, `${off.toFixed(1)} µs`, `${on.toFixed(1)} µs`, `${more.toFixed(1)} %`]);
  }
  printTable(["off", "on", "more"], rows);
});
