import { printTable } from "../../../../scripts/print-table.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import type { HttpFigure } from "./measure-http.ts";
import { scenarios } from "./scenarios.ts";
import { type TargetName, targets } from "./targets.ts";

/** Prints what was measured on an engine: a row for each scenario, which compares Siteward with each reference. */
export function printHttp(figures: readonly HttpFigure[]): void {
  const measured = figures.filter(({ target }) => target === "siteward");
  const [first] = measured;
  if (first === undefined) return;
  const { engine, latencyMs } = first;
  const references = [...new Set(figures.map(({ target }) => target))].filter((target) => target !== "siteward");
  const hasDatabase = engine !== "sqlite";
  console.log(`\n${engineTitles[engine]}${latencyMs > 0 ? `, ${latencyMs} ms away` : ""}`);
  printTable(
    [
      "Operation",
      ...["requests/s", "p50 ms", "p99 ms", "server µs", ...(hasDatabase ? ["database µs"] : [])],
      ...references.map((target) => `of ${targets[target].title}`),
    ],
    measured.map((figure) => [
      scenarios[figure.scenario].title,
      formatCount(figure.perSecond),
      formatMs(figure.p50Ms),
      formatMs(figure.p99Ms),
      formatCount(figure.cpuMicroseconds),
      ...(hasDatabase ? [formatCount(figure.databaseMicroseconds)] : []),
      ...references.map((target) => formatShare(figure, figures, target)),
    ]),
  );
}

/** Empty if the reference was not measured: one that differs only in writes is not measured in reads. */
function formatShare(figure: HttpFigure, figures: readonly HttpFigure[], target: TargetName): string {
  const reference = figures.find((other) => other.target === target && other.scenario === figure.scenario);
  return reference === undefined ? "" : formatRatio(figure.perSecond / reference.perSecond);
}
