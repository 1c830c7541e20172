import { measureMachine } from "./capacity/measure-machine.ts";
import { partNames, parts } from "./capacity/parts.ts";
import { printCapacity } from "./capacity/print-capacity.ts";
import type { Figures } from "./docs/figures.ts";
import { writeDocs } from "./docs/write-docs.ts";
import { engineNames } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench capacity`: measures what a server carries while callers, distance, the disk and the data change. */
await runBenchmark(
  { engines: engineNames, only: partNames, rounds: 3, seconds: 1, websites: 1_000_000 },
  async (options) => {
    const measured: Partial<Figures>[] = [{ machine: measureMachine() }];
    for (const engineName of options.engines) {
      await using engine = await startEngine(engineName);
      for (const name of options.only) {
        const figures = await parts[name](engine, options);
        printCapacity(figures);
        measured.push(figures);
      }
    }
    if (options.writesDocs) await writeDocs(measured);
  },
);
