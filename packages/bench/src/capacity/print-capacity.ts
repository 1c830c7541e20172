import { printTable } from "../../../../scripts/print-table.ts";
import type { Figures } from "../docs/figures.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs } from "../format.ts";
import { commandHeadings, toCommandRows } from "./commands-table.ts";
import { promiseHeadings, toPromiseRows } from "./promises-table.ts";
import { sizeHeadings, toSizeRows } from "./size-table.ts";

/** Prints what was measured, apart from figures that are printed while they are measured. */
export function printCapacity({ callers, disks, sizes, promises, commands }: Partial<Figures>): void {
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
  if (promises !== undefined) {
    const { engine } = promises[0] ?? { engine: "sqlite" };
    console.log(`\n${engineTitles[engine]}: processor time of a change, and what each promise adds`);
    printTable(promiseHeadings(engine), toPromiseRows(engine, promises));
  }
  if (commands !== undefined) {
    console.log("\nCommands of the CLI, from start to end, and the processor time of each process");
    printTable(commandHeadings, toCommandRows(commands));
  }
}
