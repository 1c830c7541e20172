import { safeText } from "@siteward/start/safe-text";

/** How many things a message for people lists. */
const maxListed = 20;

/** Formats the first things of a list, and how many more there are. */
export function firstLines<Thing>(
  things: readonly Thing[],
  max: number,
  toLine: (thing: Thing) => string,
): readonly string[] {
  const rest = things.length - max;
  const more = rest > 0 ? [`… and ${rest.toLocaleString("en-US")} more`] : [];
  return [...things.slice(0, max).map(toLine), ...more];
}

/** Lists names in a sentence: "a.example, b.example, … and 3 more". */
export function nameSome(names: readonly string[], max: number = maxListed): string {
  return firstLines(names, max, (name) => name).join(", ");
}

/** Formats a message with a list below it, a line for each thing. */
export function withList(head: string, things: readonly string[], max: number = maxListed): string {
  return [head, ...firstLines(things, max, safeText).map((line) => `  ${line}`)].join("\n");
}
