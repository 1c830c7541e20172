/** Prints a Markdown table, to paste into a page. The first column names the rows. Numbers and ratios in the others end in line. */
export function printTable(headings: readonly string[], rows: ReadonlyArray<ReadonlyArray<string>>): void {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const [heads = "", ...bodies] = lines.map((cells) => `| ${cells.map(align).join(" | ")} |`);
  console.log([heads, `|---|${"---:|".repeat(headings.length - 1)}`, ...bodies].join("\n"));
}
