import type { HttpFigure } from "./docs/figures.ts";
import { type EngineName, engineNames } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { formatMebibytes } from "./format.ts";
import { measureHttp } from "./measure/measure-http.ts";
import { printHttp } from "./measure/print-http.ts";
import { type ScenarioName, scenarioNames } from "./measure/scenarios.ts";
import type { Options } from "./options.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench http`: compares the built server with bare Express 5 and bare node:http, which run the same queries. */
await runBenchmark({ engines: engineNames, only: scenarioNames, rounds: 3, seconds: 2 }, async (options) => {
  console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
  const figures: HttpFigure[] = [];
  for (const engineName of options.engines) figures.push(...(await measureEngine(engineName, options)));
});

async function measureEngine(engineName: EngineName, options: Options<ScenarioName>): Promise<readonly HttpFigure[]> {
  await using engine = await startEngine(engineName);
  const { figures, memory } = await measureHttp(engine, options, printHttp);
  console.log(
    `\nMemory of the server: ${formatMebibytes(memory.idleBytes)} idle, ${formatMebibytes(memory.afterWriteBytes)} after the first write`,
  );
  return figures;
}
