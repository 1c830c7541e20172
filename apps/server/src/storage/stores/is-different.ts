/** Tells whether any column differs between two states of a row. */
export function isDifferent<Row extends object>(before: Row, after: Row): boolean {
  // Both states have the same columns.
  const columns = Object.keys(before) as (keyof Row)[];
  return columns.some((column) => before[column] !== after[column]);
}
