import { printTable } from "../../../../scripts/print-table.ts";
import type { MixedFigure } from "../docs/figures.ts";
import { mixedHeadings, toMixedCells } from "./mixed-table.ts";

/** Prints all loads of one setup. */
export function printSetup(engineTitle: string, figures: readonly MixedFigure[]): void {
  console.log(`\n${engineTitle}: ${figures[0]?.setup}`);
  printTable(
    mixedHeadings,
    figures.map((figure) => [figure.load, ...toMixedCells(figure, figures)]),
  );
}
