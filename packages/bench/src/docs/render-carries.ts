import type { EngineName } from "../engines/bench-engine.ts";
import { formatCount } from "../format.ts";
import { scenarioNames, scenarios } from "../measure/scenarios.ts";
import type { Figures, HttpFigure } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";

const microsecondsPerSecond = 1_000_000;

/** Renders how many requests per second one core carries that does nothing else. */
export function renderCarries({ http }: Figures): string {
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
