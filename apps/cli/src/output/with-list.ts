import { firstLines } from "./first-lines.ts";
import { safeText } from "./safe-text.ts";

/** How many things a message for people lists. */
const maxListed = 20;

/**
 * Formats a message with a list below it: a line for each of the first things, and how many more there are.
 *
 * @param max how many things are listed. Default: 20
 */
export function withList(head: string, things: readonly string[], max: number = maxListed): string {
  return [head, ...firstLines(things, max, safeText).map((line) => `  ${line}`)].join("\n");
}
