import { textWidth } from "./text-width.ts";

const minWidth = 4;

/**
 * Returns the width of each column of a table. If the table is too wide, the widest columns shrink first, down to 4.
 *
 * @param room the terminal columns that are available, without the gaps between cells
 */
export function fitWidths(rows: readonly (readonly string[])[], room: number): readonly number[] {
  const natural = naturalWidths(rows);
  const ceiling = findCeiling(natural, room);
  return natural.map((width) => Math.min(width, ceiling));
}

function naturalWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((text, index) => {
      widths[index] = Math.max(widths[index] ?? 0, textWidth(text));
    });
  }
  return widths;
}

/** Returns the largest column width at which all columns fit. */
function findCeiling(widths: readonly number[], room: number): number {
  let ceiling = Math.max(minWidth, ...widths);
  while (ceiling > minWidth && sum(widths.map((width) => Math.min(width, ceiling))) > room) ceiling -= 1;
  return ceiling;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
