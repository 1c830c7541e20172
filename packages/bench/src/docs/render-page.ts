import type { Figures } from "./figures.ts";
import { tables } from "./render-tables.ts";

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
