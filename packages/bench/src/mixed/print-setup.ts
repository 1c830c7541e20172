import type { EngineName } from "@siteward/testing/engines/database";
import { printTable } from "../../../../scripts/print-table.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import type { MixedFigure, Setup } from "./measure-setup.ts";

const headings = ["reads/s", "of alone", "p50 ms", "p99 ms", "creates/s", "of alone", "create p99 ms"] as const;

/** Prints all loads of one setup. Ratios compare with the readers and the writers alone on the same server. */
export function printSetup(engine: EngineName, { workers, syncDelayMs }: Setup, figures: readonly MixedFigure[]): void {
  const [readsAlone, writesAlone] = [figures[0]?.readsPerSecond, figures[1]?.writesPerSecond];
  console.log();
  printTable(
    [`${engineTitles[engine]}, processes: ${workers}, syncs take ${syncDelayMs} ms longer`, ...headings],
    figures.map((figure) => [
      figure.load,
      format(figure.readsPerSecond, formatCount),
      formatShare(figure.readsPerSecond, readsAlone),
      format(figure.readP50Ms, formatMs),
      format(figure.readP99Ms, formatMs),
      format(figure.writesPerSecond, formatCount),
      formatShare(figure.writesPerSecond, writesAlone),
      format(figure.writeP99Ms, formatMs),
    ]),
  );
}

function format(value: number | null, formatValue: (value: number) => string): string {
  return value === null ? "" : formatValue(value);
}

function formatShare(value: number | null, alone: number | null | undefined): string {
  return value === null ? "" : formatRatio(value / (alone ?? Number.NaN));
}
