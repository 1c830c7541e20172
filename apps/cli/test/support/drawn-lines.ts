import type { Transcript } from "./run-cli.ts";

/** What a progress bar or a spinner is drawn with. */
const drawnParts = /[█░⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u;

/** Returns the lines in which a progress bar or a spinner was left. */
export function drawnLines({ screen }: Pick<Transcript, "screen">): readonly string[] {
  return screen.lines.filter((line) => drawnParts.test(line));
}
