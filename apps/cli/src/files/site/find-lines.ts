import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from "js-yaml";

/**
 * Returns the line of what is at a path of names and indices: a section, one of its fields or items, or a field of an
 * item. What an alias or a merge key repeats is in the line of what contains it. Lines count from 1.
 */
export type LineFinder = (...path: readonly (string | number)[]) => number;

/** Where a value is in the events, and where it or its name starts in the text. */
interface Place {
  readonly index: number;
  readonly position: number;
}

/** Finds the lines of a document once they are asked for: most websites have no problem. */
export function findLines(text: string, events: readonly Event[]): LineFinder {
  const lineAt = createLineFinder(text);
  /** Of the file and its sections, each of whose fields and items can be asked for. */
  const known = new Map<number, ReadonlyMap<string | number, Place>>();
  const findChild = (parent: number, name: string | number): Place | undefined => {
    for (const [own, place] of childrenOf(text, events, parent)) if (own === name) return place;
    return undefined;
  };
  return (...path) => {
    // Behind the start of the document.
    let found: Place = { index: 1, position: startOf(events[1]) ?? 0 };
    for (const [level, name] of path.entries()) {
      if (level < 2 && !known.has(found.index)) known.set(found.index, new Map(childrenOf(text, events, found.index)));
      const child = level < 2 ? known.get(found.index)?.get(name) : findChild(found.index, name);
      if (child === undefined) break;
      found = child;
    }
    return lineAt(found.position);
  };
}

/** Returns what is in a list by its number, or in a mapping by its name. */
function* childrenOf(text: string, events: readonly Event[], parent: number): Generator<[string | number, Place]> {
  const opened = events[parent];
  if (!isCollection(opened)) return;
  const isList = opened.type === EVENT_ID.SEQUENCE;
  const hasDashes = isList && opened.style === COLLECTION_STYLE.BLOCK;
  let position = opened.start;
  let index = parent + 1;
  for (let count = 0; events[index]?.type !== EVENT_ID.POP; count += 1) {
    const event = events[index];
    // An item without text has no place but that of its dash.
    position = startOf(event) ?? (hasDashes && count > 0 ? nextDash(text, opened.start, position) : position);
    const name = isList || event?.type !== EVENT_ID.SCALAR ? count : getScalarValue(text, event);
    if (!isList) index += 1;
    yield [name, { index, position }];
    index = endOf(events, index);
  }
}

/** Returns the index of what is behind a value. */
function endOf(events: readonly Event[], start: number): number {
  let index = start;
  let depth = 0;
  do {
    const event = events[index];
    if (isCollection(event)) depth += 1;
    else if (event?.type === EVENT_ID.POP) depth -= 1;
    index += 1;
  } while (depth > 0);
  return index;
}

function isCollection(event: Event | undefined): event is Extract<Event, { readonly start: number }> {
  return event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING;
}

/** Returns where a value starts in its text; undefined if it has none. */
function startOf(event: Event | undefined): number | undefined {
  if (isCollection(event)) return event.start;
  if (event?.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event?.type !== EVENT_ID.SCALAR || event.valueStart === -1) return undefined;
  // The text of a block starts below its | or >, behind a line break.
  return event.valueStart - (event.style >= SCALAR_STYLE.LITERAL_BLOCK ? 1 : 0);
}

/** @param first the position of the first dash of the list. All others are in the same column. */
function nextDash(text: string, first: number, position: number): number {
  const dash = new RegExp(`\\n {${first - text.lastIndexOf("\n", first) - 1}}-`, "g");
  dash.lastIndex = position;
  return dash.test(text) ? dash.lastIndex : position;
}

/** Returns a function that finds the line of a position: a search through the starts of all lines. */
function createLineFinder(text: string): (position: number) => number {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (position) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
