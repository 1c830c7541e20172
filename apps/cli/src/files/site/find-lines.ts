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
  const keep = (path: string, name: Event | number | undefined, line: number): string => {
    const isName = typeof name === "object" && name.type === EVENT_ID.SCALAR;
    const ownPath = `${path}/${isName ? getScalarValue(text, name) : name}`;
    lines.set(ownPath, line);
    return ownPath;
  };
  const walk = (path: string, line: number, level: number): void => {
    const opened = next();
    if (opened?.type !== EVENT_ID.SEQUENCE && opened?.type !== EVENT_ID.MAPPING) return;
    const isList = opened.type === EVENT_ID.SEQUENCE;
    for (let count = 0; events[index]?.type !== EVENT_ID.POP; count += 1) {
      const ownLine = lineOfNext(isList);
      const name = isList ? count : next();
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
