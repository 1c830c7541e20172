import { printTable } from "../../../scripts/print-table.ts";
import type { Latency } from "./measure.ts";

/** The measurements of an operation on an engine. */
export interface Result {
  readonly operation: string;
  readonly engine: string;
  readonly maxGrowth: number;
  readonly latencies: readonly (Latency & { readonly size: number })[];
  /** Runs per second with many concurrent callers, at the largest size. */
  readonly perSecond: number;
}

/** Prints the results of a layout: a row for each operation, and columns for the engines. */
export function printResults(title: string, results: readonly Result[]): void {
  const engines = [...new Set(results.map(({ engine }) => engine))];
  const operations = [...new Set(results.map(({ operation }) => operation))];
  const sizes = results[0]?.latencies.map(({ size }) => size) ?? [];
  const columns = engines.flatMap((engine) => [
    ...sizes.map((size) => `${engine} µs at ${format(size)}`),
    `${engine} growth`,
    `${engine} per second`,
  ]);
  console.log(`\n${title}`);
  printTable(
    ["Operation", ...columns],
    operations.map((operation) => [
      operation,
      ...engines.flatMap((engine) =>
        results.filter((result) => result.operation === operation && result.engine === engine).flatMap(toCells),
      ),
    ]),
  );
}

function toCells(result: Result): (string | number)[] {
  const times = result.latencies.map(({ medianUs }) => Number(medianUs.toPrecision(3)));
  return [...times, describeGrowth(result), Math.round(result.perSecond)];
}

/** Compares with the smallest size that returned as many records, because fewer records would be less work. */
function describeGrowth({ latencies, maxGrowth }: Result): string {
  const largest = latencies.at(-1);
  const base = latencies.find(({ records }) => records === largest?.records);
  if (largest === undefined || base === undefined || base === largest) return "";
  const growth = largest.medianUs / base.medianUs;
  const from = base === latencies[0] ? "" : ` from ${format(base.size)}`;
  return `${growth.toFixed(2)}×${from}${growth > maxGrowth ? " !" : ""}`;
}

function format(size: number): string {
  return size.toLocaleString("en");
}
