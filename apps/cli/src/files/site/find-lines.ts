import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from "js-yaml";

/**
 * Returns the line of what is at a path of names and indices: a section, one of its fields or items, or a field of an item. What an alias
 * or a merge key repeats is in the line of what contains it. Lines count from 1.
 */
export type LineFinder = (...path: readonly (string | number)[]) => number;

/** The file, a section, and an item of its list. Of what is in others, no line is kept. */
const keptLevels = 3;

/**
 * Finds the lines of a document from the events of the library. That of a field of an item is kept only if it is another one than that of
 * the item.
 *
 * @param start the event that starts the document
 */
export function findLines(text: string, events: readonly Event[], start = 0): LineFinder {
  const lines = new Map<string, number>();
  const lineAt = createLineFinder(text);
  let index = start + 1;
  /** Where the last text ends. */
  let last = 0;
  const step = (): Event | undefined => {
    const event = events[index];
    last = event?.type === EVENT_ID.SCALAR && event.valueStart !== -1 ? event.valueEnd : (startOf(event) ?? last);
    index += 1;
    return event;
  };
  const positionOf = (isBelowItem: boolean): number => {
    // An item without text has no place but that of its dash.
    if (isBelowItem && startOf(events[index]) === undefined) last = nextDash(text, last);
    return startOf(events[index]) ?? last;
  };
  const keep = (path: string, name: Event | number | undefined, line: number): string => {
    const isName = typeof name === "object" && name.type === EVENT_ID.SCALAR;
    const ownPath = `${path}/${isName ? getScalarValue(text, name) : name}`;
    lines.set(ownPath, line);
    return ownPath;
  };
  const walk = (path: string, line: number, level: number): void => {
    const opened = step();
    if (opened?.type !== EVENT_ID.SEQUENCE && opened?.type !== EVENT_ID.MAPPING) return;
    for (let count = 0; events[index]?.type !== EVENT_ID.POP; count += 1) {
      const isItem = opened.type === EVENT_ID.SEQUENCE;
      const ownLine = lineAt(positionOf(isItem && count > 0));
      const name = isItem ? count : step();
      const isKept = level < keptLevels - (ownLine === line ? 1 : 0);
      walk(isKept ? keep(path, name, ownLine) : "", ownLine, level + 1);
    }
    index += 1;
  };
  const first = lineAt(startOf(events[index]) ?? 0);
  walk("", first, 0);
  return (...path) => {
    const paths = path.map((_, at) => `/${path.slice(0, at + 1).join("/")}`);
    return lines.get(paths.findLast((each) => lines.has(each)) ?? "") ?? first;
  };
}

/** Returns where a value starts in its text; undefined if it has none. */
function startOf(event: Event | undefined): number | undefined {
  if (event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING) return event.start;
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
