import type { EngineName } from "@siteward/testing/engines/database";
import { printTable } from "../../../../scripts/print-table.ts";
import { engineTitles } from "../engines/bench-engine.ts";
import { formatCount, formatMs, formatRatio } from "../format.ts";
import type { HttpFigure } from "./measure-http.ts";
import { scenarios } from "./scenarios.ts";

interface Measured {
  readonly engine: EngineName;
  readonly latencyMs: number;
}

/** Prints what was measured on an engine: a row for each scenario, which compares Siteward with the reference. */
export function printHttp(figures: readonly HttpFigure[], { engine, latencyMs }: Measured): void {
  const hasDatabase = engine !== "sqlite";
  const rateOf = (scenario: string) =>
    figures.find((other) => other.target === "express" && other.scenario === scenario)?.perSecond ?? Number.NaN;
  console.log(`\n${engineTitles[engine]}${latencyMs > 0 ? `, ${latencyMs} ms away` : ""}`);
  printTable(
    [
      "Operation",
      ...["requests/s", "p50 ms", "p99 ms", "server µs", ...(hasDatabase ? ["database µs"] : [])],
      "of bare Express 5",
    ],
    figures
      .filter(({ target }) => target === "siteward")
      .map((figure) => [
        scenarios[figure.scenario].title,
        formatCount(figure.perSecond),
        formatMs(figure.p50Ms),
        formatMs(figure.p99Ms),
        formatCount(figure.cpuMicroseconds),
        ...(hasDatabase ? [formatCount(figure.databaseMicroseconds)] : []),
        formatRatio(figure.perSecond / rateOf(figure.scenario)),
      ]),
  );
}
