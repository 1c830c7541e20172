/** Prints rows under their headings. The first cell of a row names it and has no heading. Numbers and ratios end in line. */
export function printTable(headings: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  const lines = [["", ...headings], ...rows.map((cells) => cells.map(String))];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  for (const [name = "", ...cells] of lines) {
    const aligned = cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    console.log([name.padEnd(widths[0] ?? 0), ...aligned].join("  ").trimEnd());
  }
}
