import { readFile, writeFile } from "node:fs/promises";
import { type EngineName, engineNames } from "./engines/engine-name.ts";
import { formatFigures } from "./format.ts";
import type { Row } from "./row.ts";
import { type RowName, rows } from "./rows/index.ts";
import type { RunResult } from "./run-row.ts";

/** The result of one row on one engine. */
export interface RowResult extends RunResult {
  readonly rowName: RowName;
  readonly engineName: EngineName;
}

const page = new URL("../../../docs/reliability.md", import.meta.url);

/**
 * Writes the figures of a run into the tables of docs/reliability.md. A row that did not run keeps its line. If any row did not
 * run, the line about the last run stays the same too.
 */
export async function writeDocs(results: readonly RowResult[], run: string): Promise<void> {
  const text = engineNames.reduce(
    (before, engineName) =>
      replaceBetween(before, `figures: ${engineName}`, (old) => renderTable(engineName, results, old)),
    await readFile(page, "utf8"),
  );
  await writeFile(page, hasEveryRow(results) ? replaceBetween(text, "run", () => run) : text);
}

function hasEveryRow(results: readonly RowResult[]): boolean {
  const count = Object.values<Row>(rows).reduce((sum, { engines }) => sum + engines.length, 0);
  return results.length === count;
}

function replaceBetween(text: string, name: string, render: (old: string) => string): string {
  const [start, end] = [`<!-- ${name} -->\n`, "\n<!-- end -->"];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/reliability.md has no marker "${name}".`);
  const head = text.slice(0, from + start.length);
  return `${head}${render(text.slice(head.length, to))}${text.slice(to)}`;
}

function renderTable(engineName: EngineName, results: readonly RowResult[], old: string): string {
  const lines = Object.entries<Row>(rows)
    .filter(([, row]) => row.engines.includes(engineName))
    .map(([rowName, { promise }]) => {
      const result = results.find((known) => known.rowName === rowName && known.engineName === engineName);
      const before = old.split("\n").find((line) => line.startsWith(`| \`${rowName}\` |`));
      const figures =
        result === undefined ? before?.split(" | ").at(-1)?.replace(/ \|$/, "") : formatFigures(result.figures);
      return `| \`${rowName}\` | ${promise} | ${figures ?? "not run yet"} |`;
    });
  return ["| Row | Promise | Latest figures |", "|---|---|---|", ...lines].join("\n");
}
