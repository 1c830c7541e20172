/** The indents of the lines of a wrapped text. */
interface Indents {
  /** The start of the first line. */
  readonly first: string;
  /** The start of each further line. */
  readonly next: string;
}

/**
 * Wraps a text at spaces, so that no line is wider than the terminal. A word that does not fit on a line of its own is not
 * broken: terminals wrap it themselves, and it can still be copied. Counts characters, since help is plain text.
 */
export function wrapText(text: string, widthColumns: number, { first, next }: Indents): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const start = lines.length === 0 ? first : next;
    if (line === "") line = start + word;
    else if (line.length + 1 + word.length <= widthColumns) line += ` ${word}`;
    else {
      lines.push(line);
      line = next + word;
    }
  }
  return [...lines, line].join("\n");
}
