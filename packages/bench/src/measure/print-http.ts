import { median } from "../../../../scripts/median.ts";
import { printTable } from "../../../../scripts/print-table.ts";
import type { HttpFigure } from "../docs/figures.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import { scenarios } from "./scenarios.ts";
import { type TargetName, targets } from "./targets.ts";

/** Prints all targets of one scenario, compared with each reference. */
export function printHttp(figures: readonly HttpFigure[]): void {
  const [first] = figures;
  if (first === undefined) return;
  const latency = first.latencyMs > 0 ? `, ${first.latencyMs} ms from the database` : "";
  const generator = `${formatCount(median(figures.map(({ generatorMicroseconds }) => generatorMicroseconds)))} µs`;
  console.log(
    `\n${engineTitles[first.engine]}${latency}: ${scenarios[first.scenario].title} (load generator ${generator})`,
  );
  const references = figures.map(({ target }) => target).filter((target) => target !== "siteward");
  const perSecond = (target: TargetName) => figures.find((figure) => figure.target === target)?.perSecond ?? Number.NaN;
  printTable(
    ["requests/s", "p50 ms", "p99 ms", "CPU µs", ...references.map((target) => `of ${targets[target].title}`)],
    figures.map((figure) => [
      targets[figure.target].title,
      formatCount(figure.perSecond),
      formatMs(figure.p50Ms),
      formatMs(figure.p99Ms),
      formatCount(figure.cpuMicroseconds),
      ...references.map((target) => formatRatio(figure.perSecond / perSecond(target))),
    ]),
  );
}
