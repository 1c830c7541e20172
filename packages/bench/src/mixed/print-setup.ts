import { printTable } from "../../../../scripts/print-table.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import type { MixedFigure } from "./measure-setup.ts";
import { isReadersAlone, isWritersAlone } from "./workers-table.ts";

const headings = ["reads/s", "of alone", "p50 ms", "p99 ms", "creates/s", "of alone", "create p99 ms"] as const;

/** Prints all loads of one setup. Ratios compare with the readers and the writers alone on the same server. */
export function printSetup(engineTitle: string, figures: readonly MixedFigure[]): void {
  const readsAlone = figures.find(isReadersAlone)?.readsPerSecond;
  const writesAlone = figures.find(isWritersAlone)?.writesPerSecond;
  console.log();
  printTable(
    [`${engineTitle}, ${figures[0]?.setup}`, ...headings],
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
  return value === null || alone === null || alone === undefined ? "" : formatRatio(value / alone);
}
