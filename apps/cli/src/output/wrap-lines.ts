import { textWidth } from "./text-width.ts";

/** What a line starts with: colors, spaces and the sign of a change. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds colors
const indentation = /^(?:\u001b\[[\d;]*m)* *(?:[+~-] )?/;

/** A command in backticks is one word, so that it can be copied. */
const words = /(?:`[^`]*`|\S)+/g;

/**
 * Wraps each line at spaces to a number of columns. What follows starts below the text of the line. A word that is too wide
 * for a line is not broken: terminals wrap it themselves, and it can still be copied.
 *
 * @param text can contain colors
 */
export function wrapLines(text: string, widthColumns: number): string {
  return text
    .split("\n")
    .map((line) => (textWidth(line) > widthColumns ? wrapLine(line, widthColumns) : line))
    .join("\n");
}

function wrapLine(line: string, widthColumns: number): string {
  const [start = ""] = indentation.exec(line) ?? [];
  const next = " ".repeat(textWidth(start));
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const [word] of line.slice(start.length).matchAll(words)) {
    const longer = isEmpty ? current + word : `${current} ${word}`;
    if (isEmpty || textWidth(longer) <= widthColumns) {
      current = longer;
    } else {
      lines.push(current);
      current = next + word;
    }
    isEmpty = false;
  }
  return [...lines, current].join("\n");
}
