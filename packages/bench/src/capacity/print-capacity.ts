import { printTable } from "../../../../scripts/print-table.ts";
import type { Figures } from "../docs/figures.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs } from "../format.ts";
import { sizeHeadings, toSizeRows } from "./size-table.ts";

/** Prints what was measured, apart from figures that are printed while they are measured. */
export function printCapacity({ callers, disks, sizes }: Partial<Figures>): void {
  if (callers !== undefined) {
    console.log(`\n${engineTitles[callers[0]?.engine ?? "sqlite"]}: requests per second against callers`);
    printTable(
      ["requests/s", "p99 ms"],
      callers.map((figure) => [
        `${figure.scenario}, ${figure.callers} callers`,
        formatCount(figure.perSecond),
        formatMs(figure.p99Ms),
      ]),
    );
  }
  if (disks !== undefined) {
    console.log("\nSQLite: creates of 64 callers against the disk");
    printTable(
      ["creates/s", "p99 ms"],
      disks.map((disk) => [
        `syncs take ${disk.delayMs} ms longer`,
        formatCount(disk.createsPerSecond),
        formatMs(disk.p99Ms),
      ]),
    );
  }
  if (sizes !== undefined) {
    console.log("\nTimes with one caller, and creates of 16 callers, against websites");
    printTable(sizeHeadings, toSizeRows(sizes));
  }
}
