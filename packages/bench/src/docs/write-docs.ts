import { readFile, writeFile } from "node:fs/promises";
import type { Figures } from "./figures.ts";
import { mergeFigures } from "./merge-figures.ts";
import { renderPage } from "./render-page.ts";
import { plots } from "./render-plots.ts";

/** The page, and the folder of its figures and plots. */
export const capacityPage = new URL("../../../../docs/capacity.md", import.meta.url);
export const capacityFolder = new URL("../../../../docs/capacity/", import.meta.url);
const figuresFile = new URL("figures.json", capacityFolder);

/** Writes figures that were measured into docs/capacity.md and its plots. */
export async function writeDocs(measured: ReadonlyArray<Partial<Figures>>): Promise<void> {
  const figures = measured.reduce<Figures>(mergeFigures, await readFigures());
  const page = renderPage(await readFile(capacityPage, "utf8"), figures);
  await writeFile(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  await writeFile(capacityPage, page);
  for (const [name, render] of Object.entries(plots)) {
    await writeFile(new URL(name, capacityFolder), render(figures));
  }
  console.log("\nThe figures are in docs/capacity.md.");
}

/** Reads the figures that the page shows. */
export async function readFigures(): Promise<Figures> {
  return JSON.parse(await readFile(figuresFile, "utf8"));
}
