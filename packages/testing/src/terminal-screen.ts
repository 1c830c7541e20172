import xterm from "@xterm/headless";

/** What a terminal shows after a program has written to it, with what has scrolled off the top. */
export interface TerminalScreen {
  /** The lines as they are on the screen, without spaces at their ends and without empty lines at the end. */
  readonly lines: readonly string[];
  /** The lines that are wider than the terminal, which continued them on the next line. */
  readonly wrappedLines: readonly string[];
  /** The lines that contain a character that is colored, bold or dim. */
  readonly styledLines: readonly string[];
}

/**
 * Shows what a program has written as a terminal would. Erased lines are gone, and a wide character takes two columns.
 *
 * @param written everything the program wrote, unchanged
 */
export async function readTerminalScreen(written: string, columns: number): Promise<TerminalScreen> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, scrollback: 100_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, index) => readRow(active.getLine(index)));
  terminal.dispose();
  const end = rows.findLastIndex(({ text }) => text.trim() !== "") + 1;
  const shown = rows.slice(0, end);
  return {
    lines: shown.map(({ text }) => text.trimEnd()),
    wrappedLines: joinContinued(shown),
    styledLines: shown.filter(({ isStyled }) => isStyled).map(({ text }) => text.trimEnd()),
  };
}

/** One row of the screen. */
interface Row {
  /** With the spaces at its end. */
  readonly text: string;
  /** Whether it continues the line of the row above. */
  readonly isContinued: boolean;
  readonly isStyled: boolean;
}

function readRow(line: xterm.IBufferLine | undefined): Row {
  const cells = Array.from({ length: line?.length ?? 0 }, (_, column) => line?.getCell(column));
  return {
    text: line?.translateToString() ?? "",
    isContinued: line?.isWrapped === true,
    isStyled: cells.some((cell) => cell !== undefined && isStyled(cell)),
  };
}

/** Returns the lines of more than one row. */
function joinContinued(rows: readonly Row[]): readonly string[] {
  const lines: string[][] = [];
  for (const { text, isContinued } of rows) {
    if (isContinued) lines.at(-1)?.push(text);
    else lines.push([text]);
  }
  return lines.filter((line) => line.length > 1).map((line) => line.join("").trimEnd());
}

function isStyled(cell: xterm.IBufferCell): boolean {
  return !cell.isFgDefault() || !cell.isBgDefault() || cell.isBold() !== 0 || cell.isDim() !== 0;
}
