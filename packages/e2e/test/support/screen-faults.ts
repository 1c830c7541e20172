import type { Transcript } from "./open-cli-terminal.ts";

/**
 * Returns the lines that are wider than the terminal although they could have been broken at a space. One word that is too
 * wide, or a command in backticks or on a line of its own, is in one piece, so that it can be copied.
 */
export function unfittingLines({ screen }: Pick<Transcript, "screen">): readonly string[] {
  return screen.wrappedLines.filter((line) => {
    const withoutSign = line.trim().replace(/^[+~-] /, "");
    return withoutSign
      .replace(/^siteward .*/, "command")
      .replaceAll(/`[^`]*`/g, "command")
      .includes(" ");
  });
}

/** What a progress bar or a spinner is drawn with. */
const drawnParts = /[█░⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u;

/** Returns the lines in which a progress bar or a spinner was left. */
export function drawnLines({ screen }: Pick<Transcript, "screen">): readonly string[] {
  return screen.lines.filter((line) => drawnParts.test(line));
}

/** Whether something was drawn while the CLI ran. */
export function hasDrawn({ raw }: Pick<Transcript, "raw">): boolean {
  return drawnParts.test(raw);
}
