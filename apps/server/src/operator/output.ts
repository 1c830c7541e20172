import type { CommandContext } from "./command-context.ts";

const lineIntervalMs = 5_000;

/** Prints one result: as the only JSON on standard output, or as lines for a person. */
export function printResult(
  context: CommandContext,
  options: { json?: boolean },
  result: unknown,
  lines: readonly string[],
): void {
  for (const line of options.json === true ? [JSON.stringify(result)] : lines) context.print(line);
}

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

/** Renders a number of things, such as `1 account` or `1,200 websites`. */
export function renderCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** How far a command is that changes many rows. */
interface Progress {
  /** What it does, such as `copying`. */
  readonly step: string;
  readonly table: string;
  /** Rows of the table that the step has done. */
  readonly done: number;
  readonly total: number;
}

/**
 * Returns what tells how far a command is, in a line every few seconds.
 *
 * @param nowMs a clock that never goes back, in milliseconds
 */
export function showProgress(
  { note }: Pick<CommandContext, "note">,
  nowMs = () => performance.now(),
): (progress: Progress) => void {
  let shownAtMs = nowMs();
  return ({ step, table, done, total }) => {
    if (nowMs() - shownAtMs < lineIntervalMs) return;
    shownAtMs = nowMs();
    note(`${step} ${table}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`);
  };
}
