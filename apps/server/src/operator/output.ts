import { escapeUnsafe } from "@siteward/start/safe-text";
import type { CommandContext } from "./command.ts";

/** Prints one result: as the only JSON on standard output, or as lines for a person. */
export function printResult(
  context: CommandContext,
  options: { json?: boolean },
  result: unknown,
  lines: readonly string[],
): void {
  for (const line of options.json === true ? [escapeUnsafe(JSON.stringify(result))] : lines) context.print(line);
}

export function renderTable(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const widths = headings.map((heading, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), heading.length),
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
