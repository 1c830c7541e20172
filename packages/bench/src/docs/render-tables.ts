import { median } from "../../../../scripts/median.ts";
import { sizeHeadings, toSizeRows } from "../capacity/size-table.ts";
import type { EngineName } from "../engines/bench-engine.ts";
import { formatCount, formatMegabytes, formatMs, formatRatio } from "../format.ts";
import { scenarioNames, scenarios } from "../measure/scenarios.ts";
import { type TargetName, targets } from "../measure/targets.ts";
import { mixedHeadings, toMixedCells } from "../mixed/mixed-table.ts";
import { toWorkersRows, workersHeadings } from "../mixed/workers-table.ts";
import type { Figures, HttpFigure } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";
import { renderCarries } from "./render-carries.ts";
import { renderPlan } from "./render-plan.ts";

/** Renders what stands between each pair of markers in docs/capacity.md. */
export const tables = {
  machine: renderMachine,
  carries: renderCarries,
  "http sqlite": (figures) => renderHttp(figures, "sqlite", 0),
  "http postgres": (figures) => renderHttp(figures, "postgres", 0),
  distance: (figures) => renderHttp(figures, "postgres", 1),
  mixed: ({ mixed }) =>
    [...new Set(mixed.map(({ setup }) => setup))]
      .map((setup) => {
        const rows = mixed.filter((figure) => figure.setup === setup);
        const title = `${setup.charAt(0).toUpperCase()}${setup.slice(1)}`;
        return markdownTable(
          [title, ...mixedHeadings],
          rows.map((figure) => [figure.load, ...toMixedCells(figure, rows)]),
        );
      })
      .join("\n\n"),
  workers: ({ mixed }) => markdownTable(["Disk", ...workersHeadings], toWorkersRows(mixed)),
  sizes: ({ sizes }) => markdownTable(["Websites", ...sizeHeadings], toSizeRows(sizes)),
  plan: renderPlan,
} as const satisfies Readonly<Record<string, (figures: Figures) => string>>;

function renderMachine({ machine, memory, http }: Figures): string {
  const reads = http.filter(({ scenario }) => scenario === "get");
  const generator = median(reads.map(({ generatorMicroseconds }) => generatorMicroseconds));
  return [
    `Measured on ${machine.cores} cores (${machine.processor}) with Node ${machine.node}. The disk syncs 4 KiB in ${formatMs(machine.syncMs)} ms.`,
    `The databases and the load generator, which uses ${formatCount(generator)} µs for each read, share the cores with the servers.`,
    `An idle server on SQLite uses ${formatMegabytes(memory.idleBytes)}.`,
  ].join("\n");
}

function renderHttp({ http }: Figures, engine: EngineName, latencyMs: number): string {
  const figures = http.filter((figure) => figure.engine === engine && figure.latencyMs === latencyMs);
  const references = [...new Set(figures.map(({ target }) => target))].filter((target) => target !== "siteward");
  const rows = scenarioNames.flatMap((scenario) =>
    figures.filter((figure) => figure.scenario === scenario && figure.target === "siteward"),
  );
  const hasDatabase = engine !== "sqlite";
  return markdownTable(
    [
      "Operation",
      ...["requests/s", "p50 ms", "p99 ms", "server µs", ...(hasDatabase ? ["database µs"] : [])],
      ...references.map((target) => `of ${targets[target].title}`),
    ],
    rows.map((figure) => [
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
