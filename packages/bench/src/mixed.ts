import { canSlowDisk } from "@siteward/testing/slow-disk";
import { startEngine } from "./engines/bench-engine.ts";
import { websiteCount } from "./engines/seeded-file.ts";
import { formatCount, formatMs, formatRatio } from "./format.ts";
import { usualRounds } from "./measure/measure-in-turn.ts";
import { measureSetup } from "./mixed/measure-setup.ts";
import { printTable } from "./print-table.ts";

/** `pnpm bench mixed`: measures readers of single websites on SQLite, alone and next to others that use the server. */
const setups = [1, 2].flatMap((workers) => [0, 5].map((syncDelayMs) => ({ workers, syncDelayMs })));
await using engine = await startEngine.sqlite();
console.log(`Medians of ${usualRounds.rounds} rounds of ${usualRounds.seconds} s, with ${websiteCount} websites`);
const hasSlowDisk = canSlowDisk();
if (!hasSlowDisk) console.log("Not run: syncs that take longer, which need strace");
for (const setup of setups) {
  if (setup.syncDelayMs !== 0 && !hasSlowDisk) continue;
  const figures = await measureSetup(engine, setup);
  console.log(`\nProcesses: ${setup.workers}, syncs take ${setup.syncDelayMs} ms longer`);
  // The first load with these callers has no others, on the same server.
  const aloneOf = (group: string) => figures.find((other) => other.group === group)?.perSecond ?? Number.NaN;
  printTable(
    ["Load", "callers", "requests/s", "of alone", "p50 ms", "p99 ms"],
    figures.map(({ load, group, perSecond, p50Ms, p99Ms }) => {
      const share = formatRatio(perSecond / aloneOf(group));
      return [load, group, formatCount(perSecond), share, formatMs(p50Ms), formatMs(p99Ms)];
    }),
  );
}
