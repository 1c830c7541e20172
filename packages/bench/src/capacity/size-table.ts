import type { SizeFigure } from "../docs/figures.ts";
import { engineNames, engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMegabytes, formatMs } from "../format.ts";

export const sizeHeadings = [
  "disk",
  "bytes per website",
  "memory",
  "get ms",
  "list ms",
  "search ms",
  "create ms",
  "creates/s",
] as const;

/** Returns one row for each number of websites, with its name. Engines are in the order of their names, sizes in ascending order. */
export function toSizeRows(sizes: readonly SizeFigure[]): string[][] {
  const ordered = engineNames.flatMap((engine) =>
    sizes.filter((size) => size.engine === engine).toSorted((left, right) => left.websites - right.websites),
  );
  return ordered.map((size) => [
    `${engineTitles[size.engine]}, ${formatCount(size.websites)}`,
    formatMegabytes(size.diskBytes),
    formatCount(size.diskBytes / size.websites),
    formatMegabytes(size.residentBytes),
    ...[size.getMs, size.listMs, size.searchMs, size.createMs].map(formatMs),
    formatCount(size.createsPerSecond),
  ]);
}
