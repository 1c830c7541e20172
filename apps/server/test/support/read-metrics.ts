import { vi } from "vitest";
import type { RunningProgram } from "./run-program.ts";

/** One value of a scrape, by its name and labels as they are written. */
export type Scrape = ReadonlyMap<string, number>;

/** Waits until the log says where a server answers scrapes. */
export async function findMetricsUrl(program: RunningProgram): Promise<string> {
  const find = () => program.logEntries().find(({ msg }) => String(msg).startsWith("Prometheus can read"))?.["url"];
  return String(await vi.waitUntil(find, { timeout: 30_000 }));
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}: ${text}`);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** Returns the sum of all series of a metric whose labels contain these. */
export function sumOf(values: Scrape, name: string, ...labels: readonly string[]): number {
  return [...values].reduce((sum, [series, value]) => {
    const isMeant = series === name || series.startsWith(`${name}{`);
    return isMeant && labels.every((label) => series.includes(label)) ? sum + value : sum;
  }, 0);
}
