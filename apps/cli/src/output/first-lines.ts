/** Formats the first things of a list, a line for each, and how many more there are. */
export function firstLines<Thing>(
  things: readonly Thing[],
  max: number,
  toLine: (thing: Thing) => string,
): readonly string[] {
  const rest = things.length - max;
  const more = rest > 0 ? [`… and ${rest.toLocaleString("en-US")} more`] : [];
  return [...things.slice(0, max).map(toLine), ...more];
}
