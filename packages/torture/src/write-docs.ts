import { readFile, writeFile } from "node:fs/promises";
import { formatFigures } from "./format.ts";
import { engineNames } from "./row.ts";
import { rows } from "./rows/index.ts";
import type { RowResult } from "./run-all.ts";

const page = new URL("../../../docs/reliability.md", import.meta.url);

/** Puts the figures of a run into the tables of docs/reliability.md. A row that did not run keeps its line. */
export async function writeDocs(results: readonly RowResult[]): Promise<void> {
  let text = await readFile(page, "utf8");
  for (const engineName of engineNames) {
    const marker = new RegExp(`(<!-- figures: ${engineName} -->\n)[^]*?(\n<!-- end -->)`);
    const [, start = "", end = ""] = marker.exec(text) ?? [];
    if (start === "") throw new Error(`docs/reliability.md has no marker for ${engineName}.`);
    const lines = Object.entries(rows)
      .filter(([, row]) => row.engines.some((known) => known === engineName))
      .map(([rowName, { promise }]) => {
        const result = results.find((known) => known.rowName === rowName && known.engineName === engineName);
        const old = new RegExp(`^\\| \`${rowName}\` \\|.*\\| (.*) \\|$`, "m").exec(marker.exec(text)?.[0] ?? "")?.[1];
        const figures = result === undefined ? old : formatFigures(result.figures);
        return `| \`${rowName}\` | ${promise} | ${figures ?? "not run yet"} |`;
      });
    const table = ["| Row | Promise | Latest figures |", "|---|---|---|", ...lines].join("\n");
    text = text.replace(marker, () => `${start}${table}${end}`);
  }
  await writeFile(page, text);
}
