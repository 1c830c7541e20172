import type { Parsed } from "@siteward/contract/website-settings";

/** The deepest nesting. The answer of a service with its websites and their lists has 5 levels. */
const maxDepth = 100;

/** The most items of an array, and the most fields of an object: Matomo answers with an object of all sites. */
const maxItems = 100_000;

/** The most values: 30 for each of 100,000 websites. A value takes up to 60 bytes of memory. */
const maxValues = 3_000_000;

/**
 * Parses JSON. The reason names a place, never the text around it, which could contain a password.
 *
 * @param isLine whether the text is one line of a file, whose place the caller names. Default: false
 */
export function parseJson(text: string, { isLine = false } = {}): Parsed<unknown> {
  const { excess } = scan(text);
  if (excess !== undefined) return { ok: false, reason: excess };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: isLine ? notJson : describeFault(text, String(error)) };
  }
}

/** Whether a text is a JSON array, if it is JSON. */
export function isJsonArray(text: string): boolean {
  return /^\s*\[/.test(text);
}

/**
 * Parses a JSON array, one item at a time: the values of 27,000 items with 100 fields took 80 MB.
 *
 * @param accept called with each item, in order, also with those before a fault
 */
export function parseJsonArray(text: string, accept: (item: unknown) => void): Parsed<undefined> {
  const { excess, borders } = scan(text);
  if (excess !== undefined) return { ok: false, reason: excess };
  const end = borders.at(-1) ?? 0;
  // An array that ends before the text, as in `[1]2[3]`, has brackets among its commas.
  const isArray = text[end] === "]" && borders.slice(1, -1).every((border) => text[border] === ",");
  if (!isArray || text.slice(end + 1).trim() !== "") return refuseWhole(text);
  if (borders.length === 2 && text.slice((borders[0] ?? 0) + 1, end).trim() === "")
    return { ok: true, value: undefined };
  for (const [index, start] of borders.slice(0, -1).entries()) {
    let item: unknown;
    try {
      item = JSON.parse(text.slice(start + 1, borders[index + 1]));
    } catch {
      return refuseWhole(text);
    }
    accept(item);
  }
  return { ok: true, value: undefined };
}

/** Says what is wrong with a text of which a part is not valid. Only the entire text shows the place. */
function refuseWhole(text: string): Parsed<undefined> {
  const whole = parseJson(text);
  return whole.ok ? { ok: false, reason: notJson } : whole;
}

function describeFault(text: string, error: string): string {
  if (text.trim() === "") return "is empty";
  if (/^\s*</.test(text)) return "is HTML or XML, not JSON";
  if (unexpectedEnd.test(error)) return `${notJson}: it ends too early`;
  const [place] = /\(line \d+ column \d+\)/.exec(error) ?? [findUnexpectedToken(text, error)];
  return [notJson, place].join(" ").trimEnd();
}

const notJson = "is not valid JSON";

const unexpectedEnd = /: Unexpected end of JSON input/;
const unexpectedToken = /: Unexpected token /;

/** The longest text in which a token is looked for. It is parsed 22 times, which takes up to half a second. */
const maxSearchedLength = 4 * 1024 * 1024;

/**
 * Finds the one fault, such as a comma before the end of an array, whose place the runtime does not tell: it is where the
 * shortest start of the text ends that has the fault too.
 */
function findUnexpectedToken(text: string, error: string): string | undefined {
  if (!unexpectedToken.test(error) || text.length > maxSearchedLength) return undefined;
  let [without, length] = [0, text.length];
  while (length - without > 1) {
    const middle = Math.floor((without + length) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) length = middle;
    else without = middle;
  }
  const lines = text.slice(0, length).split("\n");
  return `(line ${lines.length} column ${lines.at(-1)?.length ?? 1})`;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return unexpectedToken.test(String(error));
  }
}

/** Whether a value is an object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is known of a text before anything is parsed. */
interface Scan {
  /** What is past a limit: 8 MB of brackets took a gigabyte. */
  readonly excess?: string | undefined;
  /** The positions of the outermost array or object: its start, its commas, and its end, if it has one. */
  readonly borders: readonly number[];
}

function scan(text: string): Scan {
  /** How many commas each array and object has that is open here. */
  const open: number[] = [];
  const borders: number[] = [];
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === '"') index = endOfString(text, index);
    if (!isMark(character)) continue;
    const depth = open.length;
    values += pass(open, character);
    if (Math.max(depth, open.length) === 1) borders.push(index);
    const excess = excessOf(open, values);
    if (excess !== undefined) return { excess, borders };
  }
  return { borders };
}

/** Compares one at a time, which is faster than to look in a string of all marks. */
function isMark(character: string): boolean {
  return character === "," || character === "[" || character === "]" || character === "{" || character === "}";
}

/** Returns how many values begin here: one in an array or object, or behind a comma. */
function pass(open: number[], character: string): 0 | 1 {
  if (character === "]" || character === "}") {
    open.pop();
    return 0;
  }
  if (character === ",") countItem(open);
  else open.push(0);
  return 1;
}

function excessOf(open: readonly number[], values: number): string | undefined {
  if (open.length > maxDepth) return `has arrays or objects that are nested more than ${maxDepth} deep`;
  if ((open.at(-1) ?? 0) >= maxItems) {
    return `has an array or object with more than ${inWords(maxItems)} items; ${split}`;
  }
  return values > maxValues ? `has more than ${inWords(maxValues)} values; ${split}` : undefined;
}

const split = "split it into several files";

function inWords(count: number): string {
  return count.toLocaleString("en-US");
}

function countItem(open: number[]): void {
  const last = open.length - 1;
  open[last] = (open[last] ?? 0) + 1;
}

/** Returns where a string ends; the end of the text if it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === "\\") before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
