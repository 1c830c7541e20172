import type { EngineName } from "@siteward/testing/engines/database";
import { printTable } from "../../../../scripts/print-table.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import type { MixedFigure, Setup } from "./measure-setup.ts";

/** Prints all loads of one setup. Ratios compare with the same callers alone on the same server. */
export function printSetup(engine: EngineName, { workers, syncDelayMs }: Setup, figures: readonly MixedFigure[]): void {
  console.log(`\n${engineTitles[engine]}, processes: ${workers}, syncs take ${syncDelayMs} ms longer`);
  // The first load with these callers has no others.
  const aloneOf = (group: string) => figures.find((other) => other.group === group)?.perSecond ?? Number.NaN;
  printTable(
    ["Load", "callers", "requests/s", "of alone", "p50 ms", "p99 ms"],
    figures.map(({ load, group, perSecond, p50Ms, p99Ms }) => {
      const share = formatRatio(perSecond / aloneOf(group));
      return [load, group, formatCount(perSecond), share, formatMs(p50Ms), formatMs(p99Ms)];
    }),
  );
}
