import { parseArgs } from "node:util";
import { type Engine, startEngines } from "./engines.ts";
import { createAccounts, fill } from "./fill.ts";
import type { Layout } from "./layout.ts";
import { measureLatencies, measureThroughput } from "./measure.ts";
import { maxGrowths, type OperationName, prepareOperations } from "./operations.ts";
import { printResults, type Result } from "./report.ts";

/**
 * Measures the stores on all engines in one run, while the number of websites grows.
 *
 * `--sizes 1000,100000` and `--accounts one|many` limit the measurement. `--json` prints the results for programs.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,100000,1000000" },
    accounts: { type: "string", default: "one,many" },
    json: { type: "boolean", default: false },
  },
});
const sizes = options.sizes.split(",").map(Number);
const layouts: Readonly<Record<string, Layout>> = {
  one: { title: "Websites in one account", accounts: 1, sizes },
  many: { title: "Websites across 1,000 accounts", accounts: 1_000, sizes },
};
const chosen = options.accounts.split(",").map((name) => layouts[name]);

for (const layout of chosen) {
  if (layout === undefined || sizes.some((size) => size < 1 || size % layout.accounts !== 0)) {
    console.error("--sizes must be ascending multiples of 1,000, such as 1000,100000. --accounts must be one or many.");
    process.exit(2);
  }
  const results = await measureLayout(layout);
  if (options.json) console.log(JSON.stringify({ title: layout.title, results }));
  else printResults(layout.title, results);
}

async function measureLayout(layout: Layout): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const engines = (await startEngines()).map((engine) => stack.use(engine));
  const results = new Map<string, Result>();
  for (const engine of engines) await createAccounts(engine, layout);
  for (const [index, size] of layout.sizes.entries()) {
    const from = (layout.sizes[index - 1] ?? 0) / layout.accounts;
    for (const engine of engines) await fill(engine, { layout, from, to: size / layout.accounts });
    for (const engine of engines) await engine.settle();
    await measureSize(engines, { layout, size }, results);
  }
  return [...results.values()];
}

async function measureSize(
  engines: readonly Engine[],
  { layout, size }: { layout: Layout; size: number },
  results: Map<string, Result>,
): Promise<void> {
  const isLargest = size === layout.sizes.at(-1);
  const perEngine = engines.map(({ name, storage }) => ({
    engine: name,
    operations: prepareOperations({ storage, layout, size }),
  }));
  for (const name of Object.keys(maxGrowths) as OperationName[]) {
    const sides = perEngine.map(({ engine, operations }) => ({ engine, ...operations[name] }));
    const latencies = await measureLatencies(sides.map(({ run }) => run));
    for (const [index, { engine, run, undo }] of sides.entries()) {
      const key = `${engine} ${name}`;
      const latency = { size, medianUs: Number.NaN, records: 0, ...latencies[index] };
      const perSecond = isLargest ? await measureThroughput(run) : 0;
      const before = results.get(key)?.latencies ?? [];
      results.set(key, {
        operation: name,
        engine,
        maxGrowth: maxGrowths[name],
        latencies: [...before, latency],
        perSecond,
      });
      await undo?.();
    }
  }
}
