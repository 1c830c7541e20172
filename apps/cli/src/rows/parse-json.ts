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
  const reason = findExcess(text);
  if (reason !== undefined) return { ok: false, reason };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: isLine ? notJson : describeFault(text, String(error)) };
  }
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

/** Finds what is past a limit, before anything is parsed: 8 MB of brackets took a gigabyte. */
function findExcess(text: string): string | undefined {
  /** How many commas each array and object has that is open here. */
  const open: number[] = [];
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    if (character === "}" || character === "]") open.pop();
    if (character === "{" || character === "[") open.push(0);
    else if (character === ",") countItem(open);
    else continue;
    values += 1;
    const excess = excessOf(open, values);
    if (excess !== undefined) return excess;
  }
  return undefined;
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
