/** Prints rows under their headings, which differ from each other. The first cell of a row names it. */
export function printTable(headings: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  const toRecord = (cells: ReadonlyArray<string | number>) =>
    Object.fromEntries(cells.map((cell, column) => [headings[column], cell]));
  console.table(Object.fromEntries(rows.map(([name = "", ...cells]) => [name, toRecord(cells)])));
}
