import { canSlowDisk } from "@siteward/testing/slow-disk";
import { printTable } from "../../../scripts/print-table.ts";
import { engineTitles } from "./engines/bench-engine.ts";
import { startEngine } from "./engines/start-engine.ts";
import { type MixedFigure, measureSetup } from "./mixed/measure-setup.ts";
import { printSetup } from "./mixed/print-setup.ts";
import { type Setup, setupNames, setups } from "./mixed/setups.ts";
import { toWorkersRows, workersHeadings } from "./mixed/workers-table.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench mixed`: measures readers of single websites, alone and next to others that use the server. */
await runBenchmark(
  { engines: ["sqlite"], only: setupNames, rounds: 5, seconds: 1, websites: 1_000 },
  async (options) => {
    const hasSlowDisk = canSlowDisk();
    const [engineName = "sqlite"] = options.engines;
    await using engine = await startEngine(engineName);
    console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
    const figures: MixedFigure[] = [];
    for (const name of options.only) {
      const setup: Setup = setups[name];
      if (setup.syncDelayMs > 0 && !hasSlowDisk) {
        console.log(`\n${setup.title}: not run: needs strace`);
        continue;
      }
      const measured = await measureSetup(engine, setup, options);
      printSetup(engineTitles[engineName], measured);
      figures.push(...measured);
    }
    const workersRows = toWorkersRows(figures);
    if (workersRows.length > 0) {
      console.log("\nTwo workers compared with one process");
      printTable(workersHeadings, workersRows);
    }
  },
);
