import type { Figures } from "./docs/figures.ts";
import { writeDocs } from "./docs/write-docs.ts";
import { type EngineName, engineNames } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { formatMegabytes } from "./format.ts";
import { measureHttp } from "./measure/measure-http.ts";
import { printHttp } from "./measure/print-http.ts";
import { type ScenarioName, scenarioNames } from "./measure/scenarios.ts";
import type { Options } from "./options.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench http`: compares the built server with bare Express 5 and bare node:http, which run the same queries. */
await runBenchmark(
  { engines: engineNames, only: scenarioNames, rounds: 5, seconds: 1, websites: 1_000 },
  async (options) => {
    console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
    const measured: Partial<Figures>[] = [];
    for (const engineName of options.engines) measured.push(await measureEngine(engineName, options));
    if (options.writesDocs) await writeDocs(measured);
  },
);

async function measureEngine(engineName: EngineName, options: Options<ScenarioName>): Promise<Partial<Figures>> {
  await using engine = await startEngine(engineName);
  const { figures: http, memory } = await measureHttp(engine, options, printHttp);
  const { idleBytes, afterWriteBytes } = memory;
  const [idle, afterWrite] = [idleBytes, afterWriteBytes].map(formatMegabytes);
  console.log(`\nMemory of the server: ${idle} idle, ${afterWrite} after the first write`);
  return engineName === "sqlite" ? { http, memory } : { http };
}
