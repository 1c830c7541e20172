import { safeText } from "./safe-text.ts";

/** How many things a message lists. */
const maxListed = 20;

/** Formats a message with a list below it: a line for each of the first 20 things, and how many more there are. */
export function withList(head: string, things: readonly string[]): string {
  const listed = things.slice(0, maxListed).map((thing) => `  ${safeText(thing)}`);
  const rest = things.length - maxListed;
  return [head, ...listed, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join("\n");
}
