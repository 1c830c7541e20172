import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from "js-yaml";

/**
 * Returns the line of what is at a path of names and indices: a section, one of its fields or items, or a field of an item. What an alias
 * or a merge key repeats is in the line of what contains it. Lines count from 1.
 */
export type LineFinder = (...path: readonly (string | number)[]) => number;

/** The file, a section, and an item of its list. Of what is in others, no line is kept. */
const keptLevels = 3;

/** The line of a value and the lines of what is in it, or only its line if all of it is there. */
type Lines = number | { readonly line: number; readonly below: Readonly<Record<string, Lines>> };

/**
 * Finds the lines of a document from the events of the library. That of a field of an item is kept only if it is another one than that of
 * the item.
 *
 * @param start the event that starts the document
 */
export function findLines(text: string, events: readonly Event[], start = 0): LineFinder {
  const lineAt = createLineFinder(text);
  let index = start + 1;
  /** Where the last value starts that has a text. */
  let last = 0;
  const next = (): Event | undefined => {
    index += 1;
    return events[index - 1];
  };
  const lineOfNext = (isList: boolean): number => {
    // An item without text has no place but that of its dash.
    last = startOf(events[index]) ?? (isList ? nextDash(text, last) : last);
    return lineAt(last);
  };
  const nameIn = (event: Event | undefined, count: number): string | number =>
    event?.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : count;
  const walk = (line: number, level: number): Lines => {
    const opened = next();
    if (!isCollection(opened)) return line;
    const isList = opened.type === EVENT_ID.SEQUENCE;
    // Items with the same fields have the same keys, which take memory once.
    const below: Record<string, Lines> = {};
    for (let count = 0; events[index]?.type !== EVENT_ID.POP; count += 1) {
      const ownLine = lineOfNext(isList);
      const name = isList ? count : nameIn(next(), count);
      const lines = walk(ownLine, level + 1);
      if (level < keptLevels - Number(ownLine === line)) below[name] = lines;
    }
    index += 1;
    return level < keptLevels ? { line, below } : line;
  };
  return finderOf(walk(lineAt(startOf(events[index]) ?? 0), 0));
}

/** Not a closure of the function above, which would keep all events. */
function finderOf(lines: Lines): LineFinder {
  return (...path) => {
    let found = lines;
    for (const name of path) {
      const inner: Lines | undefined =
        typeof found === "object" && Object.hasOwn(found.below, name) ? found.below[name] : undefined;
      if (inner === undefined) break;
      found = inner;
    }
    return typeof found === "object" ? found.line : found;
  };
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

function nextDash(text: string, position: number): number {
  const dash = /\n *-/g;
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
