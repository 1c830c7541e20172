import type { MixedFigure } from "../docs/figures.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import { isReadersAlone, isWritersAlone } from "./workers-table.ts";

export const mixedHeadings = [
  "reads/s",
  "of alone",
  "p50 ms",
  "p99 ms",
  "creates/s",
  "of alone",
  "create p99 ms",
] as const;

/** Returns a row without its name. Ratios compare with the readers and the writers alone on the same server. */
export function toMixedCells(figure: MixedFigure, setup: readonly MixedFigure[]): string[] {
  const readsAlone = setup.find(isReadersAlone);
  const writesAlone = setup.find(isWritersAlone);
  return [
    format(figure.readsPerSecond, formatCount),
    formatShare(figure.readsPerSecond, readsAlone?.readsPerSecond),
    format(figure.readP50Ms, formatMs),
    format(figure.readP99Ms, formatMs),
    format(figure.writesPerSecond, formatCount),
    formatShare(figure.writesPerSecond, writesAlone?.writesPerSecond),
    format(figure.writeP99Ms, formatMs),
  ];
}

function format(value: number | null, formatValue: (value: number) => string): string {
  return value === null ? "" : formatValue(value);
}

function formatShare(value: number | null, alone: number | null | undefined): string {
  return value === null || alone === null || alone === undefined ? "" : formatRatio(value / alone);
}
