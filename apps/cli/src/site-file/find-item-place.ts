import type { Event } from "js-yaml";

/** Events of the library, and the positions among them at which the items of a list begin. */
interface ListEvents {
  readonly events: readonly Event[];
  readonly start: number;
  readonly ids: typeof import("js-yaml")["EVENT_ID"];
}

/**
 * Finds an item of a list before any is built.
 *
 * @param number counts from 1
 * @returns where its text starts, -1 if it has no text; undefined if the list has fewer items
 */
export function findItemPlace({ events, start, ids }: ListEvents, number: number): number | undefined {
  for (let [index, depth, count] = [start, 0, 0]; depth >= 0; index += 1) {
    const event = events[index];
    if (event === undefined) return undefined;
    if (event.type === ids.POP) depth -= 1;
    else if (depth === 0) count += 1;
    if (event.type === ids.SEQUENCE || event.type === ids.MAPPING) depth += 1;
    if (count === number) return placeOf(event);
  }
  return undefined;
}

function placeOf(event: Event): number {
  if ("start" in event) return event.start;
  if ("valueStart" in event) return event.valueStart;
  return "anchorStart" in event ? event.anchorStart : -1;
}
