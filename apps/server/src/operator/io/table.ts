/** Renders rows in aligned columns below their headings. */
export function renderTable(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const layOut = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [layOut(headings), ...rows.map(layOut)];
}
