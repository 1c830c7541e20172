import type { Place } from "../entries/website-entry.ts";

/** Returns where an entry is in its file: "line 4". */
export function placeText({ unit, number }: Place): string {
  return `${unit} ${number}`;
}
