import { engineNames } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { formatMegabytes } from "./format.ts";
import { measureHttp } from "./measure/measure-http.ts";
import { printHttp } from "./measure/print-http.ts";
import { scenarioNames } from "./measure/scenarios.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench http`: compares the built server with bare Express 5 and bare node:http, which run the same queries. */
await runBenchmark(
  { engines: engineNames, only: scenarioNames, rounds: 5, seconds: 1, websites: 1_000 },
  async (options) => {
    console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
    for (const engineName of options.engines) {
      await using engine = await startEngine(engineName);
      const { figures, memory } = await measureHttp(engine, options);
      printHttp(figures);
      const [idle, afterWrite] = [memory.idleBytes, memory.afterWriteBytes].map(formatMegabytes);
      console.log(`Memory of the server: ${idle} idle, ${afterWrite} after the first write`);
    }
  },
);
