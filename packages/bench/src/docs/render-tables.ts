import { median } from "../../../../scripts/median.ts";
import { commandHeadings, toCommandRows } from "../capacity/commands-table.ts";
import { promiseHeadings, toPromiseRows } from "../capacity/promises-table.ts";
import { sizeHeadings, toSizeRows } from "../capacity/size-table.ts";
import type { EngineName } from "../engines/bench-engine.ts";
import { formatCount, formatMegabytes, formatMs, formatRatio } from "../format.ts";
import { scenarioNames, scenarios } from "../measure/scenarios.ts";
import { type TargetName, targets } from "../measure/targets.ts";
import { mixedHeadings, toMixedCells } from "../mixed/mixed-table.ts";
import { toWorkersRows, workersHeadings } from "../mixed/workers-table.ts";
import type { Figures, HttpFigure } from "./figures.ts";
import { type Demand, plan } from "./plan.ts";

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
  "promises sqlite": (figures) => renderPromises(figures, "sqlite"),
  "promises postgres": (figures) => renderPromises(figures, "postgres"),
  commands: ({ commands }) => markdownTable(["Command", ...commandHeadings], toCommandRows(commands)),
  plan: renderPlan,
} as const satisfies Readonly<Record<string, (figures: Figures) => string>>;

function renderMachine({ machine, memory, http }: Figures): string {
  const reads = http.filter(({ scenario }) => scenario === "get");
  const generator = median(reads.map(({ generatorMicroseconds }) => generatorMicroseconds));
  return [
    `Measured on ${machine.cores} cores (${machine.processor}) with Node ${machine.node}. ` +
      `The disk syncs 4 KiB in ${formatMs(machine.syncMs)} ms.`,
    `The databases and the load generator, which uses ${formatCount(generator)} µs for each read, ` +
      "share the cores with the servers.",
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

function renderPromises({ promises }: Figures, engine: EngineName): string {
  return markdownTable(["Promise", ...promiseHeadings(engine)], toPromiseRows(engine, promises));
}

const microsecondsPerSecond = 1_000_000;

/** Renders how many requests per second one core carries that does nothing else. */
function renderCarries({ http }: Figures): string {
  const perCore = (engine: EngineName, scenario: string, cost: (figure: HttpFigure) => number) => {
    const figure = http.find(
      (known) =>
        known.engine === engine && known.scenario === scenario && known.target === "siteward" && known.latencyMs === 0,
    );
    return figure === undefined ? "" : formatCount(microsecondsPerSecond / cost(figure));
  };
  return markdownTable(
    ["Requests per second of one core", "server on SQLite", "server on PostgreSQL", "PostgreSQL"],
    scenarioNames.map((scenario) => [
      scenarios[scenario].title,
      perCore("sqlite", scenario, ({ cpuMicroseconds }) => cpuMicroseconds),
      perCore("postgres", scenario, ({ cpuMicroseconds }) => cpuMicroseconds),
      perCore("postgres", scenario, ({ databaseMicroseconds }) => databaseMicroseconds),
    ]),
  );
}

/** Each account has 10,000 websites, sends one read per second, and creates one website in 100 seconds. */
const demands: readonly Demand[] = [100, 1_000, 10_000].map((accounts) => ({
  accounts,
  websites: accounts * 10_000,
  readsPerSecond: accounts,
  createsPerSecond: accounts / 100,
}));

const gibibyte = 1024 ** 3;

/** Renders what installations of growing size need. */
function renderPlan(figures: Figures): string {
  return markdownTable(
    [
      "Websites",
      "accounts",
      "reads/s",
      "creates/s",
      "SQLite GiB",
      "PostgreSQL GiB",
      "server cores",
      "PostgreSQL cores",
    ],
    demands.map((demand) => {
      const { diskBytes, serverCores, databaseCores } = plan(figures, demand);
      return [
        formatCount(demand.websites),
        ...[demand.accounts, demand.readsPerSecond, demand.createsPerSecond].map(formatCount),
        (diskBytes.sqlite / gibibyte).toFixed(1),
        (diskBytes.postgres / gibibyte).toFixed(1),
        ...[serverCores, databaseCores].map(formatCount),
      ];
    }),
  );
}

/** Renders a table in Markdown. The first column is text, all others are numbers. */
function markdownTable(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const rule = `|${headings.map((_, column) => (column === 0 ? "---" : "---:")).join("|")}|`;
  const [head = "", ...lines] = [headings, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [head, rule, ...lines].join("\n");
}
