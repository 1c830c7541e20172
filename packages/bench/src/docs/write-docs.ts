import { readFile, writeFile } from "node:fs/promises";
import type { Figures } from "./figures.ts";
import { plots } from "./render-plots.ts";
import { tables } from "./render-tables.ts";

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

/** Replaces what stands between the markers of docs/capacity.md. @throws Error if a marker is missing */
export function renderPage(page: string, figures: Figures): string {
  return Object.entries(tables).reduce((text, [name, render]) => replaceBetween(text, name, render(figures)), page);
}

function replaceBetween(text: string, name: string, table: string): string {
  const [start, end] = [`<!-- figures: ${name} -->\n`, "\n<!-- end -->"];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/capacity.md has no marker "${name}".`);
  return `${text.slice(0, from + start.length)}${table}${text.slice(to)}`;
}

/** What tells the figures of a list apart. */
const keys = {
  http: ["engine", "latencyMs", "scenario", "target"],
  mixed: ["setup", "load"],
  callers: ["engine", "scenario", "callers"],
  sizes: ["engine", "websites"],
  disks: ["delayMs"],
  promises: ["engine", "change", "promise"],
  commands: ["engine", "command"],
} as const satisfies { readonly [Name in ListName]: ReadonlyArray<keyof Figures[Name][number]> };

type ListName = { [Name in keyof Figures]: Figures[Name] extends readonly unknown[] ? Name : never }[keyof Figures];

/** Replaces the figures that were measured again, and keeps all others. */
export function mergeFigures(old: Figures, measured: Partial<Figures>): Figures {
  return {
    machine: measured.machine ?? old.machine,
    memory: measured.memory ?? old.memory,
    http: mergeList(old.http, measured.http, keys.http),
    mixed: mergeList(old.mixed, measured.mixed, keys.mixed),
    callers: mergeList(old.callers, measured.callers, keys.callers),
    sizes: mergeList(old.sizes, measured.sizes, keys.sizes),
    disks: mergeList(old.disks, measured.disks, keys.disks),
    promises: mergeList(old.promises, measured.promises, keys.promises),
    commands: mergeList(old.commands, measured.commands, keys.commands),
  };
}

function mergeList<Figure>(
  old: readonly Figure[],
  measured: readonly Figure[] = [],
  names: ReadonlyArray<keyof Figure>,
): readonly Figure[] {
  const isSame = (left: Figure, right: Figure) => names.every((name) => left[name] === right[name]);
  const kept = old.map((figure) => measured.find((candidate) => isSame(candidate, figure)) ?? figure);
  return [...kept, ...measured.filter((figure) => !old.some((known) => isSame(known, figure)))];
}
