import { textWidth } from "./text-width.ts";

/** A column of a table with its texts, the title first. */
export interface TableColumn {
  readonly worth: number;
  readonly texts: readonly string[];
  /** The same texts in a shorter form, if they have one. */
  readonly shortTexts?: readonly string[] | undefined;
}

/** A column as it is shown: with these texts, cut to this width. */
export interface PlacedColumn {
  readonly texts: readonly string[];
  readonly widthColumns: number;
}

/** The room for a table, and what may happen if it is too wide. */
interface Room {
  readonly widthColumns: number;
  /** Whether columns may be left out. Otherwise, and if only two are left, they are cut. */
  readonly mayDrop: boolean;
}

/** The space between two cells. */
export const gapColumns = 2;

/** A column is not cut to less than this. */
const minCutColumns = 8;

/** These always stay: a website whose domain is cut can still be named by its ID. */
const minShownCount = 2;

/**
 * Lays out a table that is at most as wide as its room. If it is too wide, columns give way in the order of their worth, the
 * least first: they take their short form; then they are left out, if that is allowed, but for two; then they are cut. A text
 * that is wider than the room is cut in any case, so it needs only half of the room.
 *
 * @returns the columns from left to right; undefined if they do not fit even when cut
 */
export function layoutTable(
  columns: readonly TableColumn[],
  { widthColumns, mayDrop }: Room,
): readonly PlacedColumn[] | undefined {
  const sizes = columns.map((column) => measure(column, column.texts, widthColumns));
  const shorter = giveWay(sizes, widthColumns, (size) => {
    const { shortTexts } = size.column;
    return shortTexts === undefined ? size : measure(size.column, shortTexts, widthColumns);
  });
  const kept = leastFirst(shorter).slice(-minShownCount);
  const fewer = giveWay(shorter, widthColumns, (size) => (mayDrop && !kept.includes(size) ? undefined : size));
  const narrower = giveWay(fewer, widthColumns, cut);
  const left = widthColumns - totalWidth(narrower);
  return left < 0 ? undefined : spread(narrower, left);
}

/** Whether all columns fit into this width in full. */
export function fitsInFull(columns: readonly TableColumn[], widthColumns: number): boolean {
  return totalWidth(columns.map((column) => measure(column, column.texts, Number.POSITIVE_INFINITY))) <= widthColumns;
}

/** How much room the texts of a column take. */
interface Size {
  readonly column: TableColumn;
  readonly texts: readonly string[];
  readonly neededColumns: number;
  /** More than it needs if a text is wider than the room, or if the column is cut. */
  readonly fullColumns: number;
}

function measure(column: TableColumn, texts: readonly string[], roomColumns: number): Size {
  const widths = texts.map(textWidth);
  const needed = widths.map((width) => (width <= roomColumns ? width : Math.floor(roomColumns / 2)));
  return { column, texts, neededColumns: largest(needed), fullColumns: largest(widths) };
}

/** The largest of numbers that may be too many for the arguments of `Math.max`. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** Lets one column after another give way, until they fit. `step` returns undefined if a column is left out. */
function giveWay(
  sizes: readonly Size[],
  roomColumns: number,
  step: (size: Size, excessColumns: number) => Size | undefined,
): readonly Size[] {
  let current = sizes;
  for (const size of leastFirst(sizes)) {
    const excess = totalWidth(current) - roomColumns;
    if (excess <= 0) break;
    const next = step(size, excess);
    current = current.flatMap((other) => (other === size ? (next ?? []) : other));
  }
  return current;
}

function leastFirst(sizes: readonly Size[]): readonly Size[] {
  return sizes.toReversed().sort((left, right) => left.column.worth - right.column.worth);
}

function cut(size: Size, excessColumns: number): Size {
  const smallest = Math.min(size.neededColumns, minCutColumns);
  return { ...size, neededColumns: Math.max(smallest, size.neededColumns - excessColumns) };
}

function totalWidth(sizes: readonly Size[]): number {
  return sizes.reduce((total, { neededColumns }) => total + neededColumns + gapColumns, -gapColumns);
}

/** Gives the room that is left to the columns with texts that do not fit, to the one that is worth most first. */
function spread(sizes: readonly Size[], leftColumns: number): readonly PlacedColumn[] {
  let left = leftColumns;
  const widths = new Map<Size, number>();
  for (const size of leastFirst(sizes).toReversed()) {
    const more = Math.min(left, size.fullColumns - size.neededColumns);
    widths.set(size, size.neededColumns + more);
    left -= more;
  }
  return sizes.map((size) => ({ texts: size.texts, widthColumns: widths.get(size) ?? 0 }));
}
