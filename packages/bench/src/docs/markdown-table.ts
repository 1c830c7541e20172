/** Renders a table in Markdown. The first column is text, all others are numbers. */
export function markdownTable(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const rule = `|${headings.map((_, column) => (column === 0 ? "---" : "---:")).join("|")}|`;
  const [head = "", ...lines] = [headings, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [head, rule, ...lines].join("\n");
}
