import type { CostFigure, PromiseFigure } from "../docs/figures.ts";
import type { EngineName } from "../engines/bench-engine.ts";
import { formatAdded, formatCount } from "../format.ts";
import { scenarios } from "../measure/scenarios.ts";
import { changes, promiseNames, promises } from "./promises.ts";

/** Whose processor time is measured. SQLite runs in the server. */
const measured = {
  sqlite: ["server"],
  postgres: ["server", "database"],
} as const satisfies Record<EngineName, readonly unknown[]>;

function columnsOf(engine: EngineName) {
  return changes.flatMap((change) => measured[engine].map((process) => ({ change, process })));
}

/** Returns the headings of an engine's table, without that of the names. */
export function promiseHeadings(engine: EngineName): string[] {
  return columnsOf(engine).map(({ change, process }) => `${scenarios[change].title}: ${process} µs`);
}

/** Returns one row for each promise, with its name. The first one has what a change costs, all others what the promise adds. */
export function toPromiseRows(engine: EngineName, figures: readonly PromiseFigure[]): string[][] {
  return promiseNames.map((promise) => [
    promises[promise].title,
    ...columnsOf(engine).map(({ change, process }) => {
      const figure = figures.find(
        (known) => known.engine === engine && known.change === change && known.promise === promise,
      );
      return figure === undefined ? "" : format(figure[process], promise === "none");
    }),
  ]);
}

function format({ total, added }: CostFigure, isBase: boolean): string {
  return isBase ? formatCount(total) : formatAdded(added);
}
