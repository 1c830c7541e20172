/** Prints rows in aligned columns, with numbers right-aligned. */
export function printTable(headings: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column] ?? "").length)),
  );
  const layOut = (row: ReadonlyArray<string | number>) =>
    row
      .map((cell, column) =>
        typeof cell === "number" ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  for (const row of [headings, ...rows]) console.log(layOut(row));
}

/** Returns the median of measurements, which other work on the machine affects least. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
