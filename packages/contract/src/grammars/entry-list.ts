import { showInvisibleCharacters } from "./invisible-character.ts";
import type { Parsed } from "./parsed.ts";

/** How the entries of a list field are parsed. */
export interface EntryGrammar {
  /** The largest number of different entries. */
  readonly maxEntries: number;
  /** Converts a trimmed, non-empty entry to its canonical form. */
  readonly parseEntry: (text: string) => Parsed<string>;
}

/** The canonical entries, and a message for every invalid entry. */
export interface EntryList {
  readonly entries: string[];
  readonly faults: string[];
}

const maxFaults = 20;

/**
 * Parses a list field: a string with entries separated by commas or line breaks, or an array of such strings. A form body needs
 * the string, since it has no arrays. Blank entries are ignored, duplicates are removed, and the order is kept.
 *
 * Entries are counted as they are sent, before any is parsed: a body of 64 KiB can contain 30,000, and parsing them took up to
 * 230 ms. Each different entry is parsed once.
 */
export function parseEntryList(input: string | readonly string[], grammar: EntryGrammar): EntryList {
  const texts = new Set<string>();
  forEachEntry(input, (text) => texts.add(text));
  if (texts.size > grammar.maxEntries) {
    return { entries: [], faults: [`has ${texts.size} different entries; send at most ${grammar.maxEntries}`] };
  }
  const entries = new Set<string>();
  const reasons = new Map<string, string>();
  for (const text of texts) {
    const parsed = grammar.parseEntry(text);
    if (parsed.ok) entries.add(parsed.value);
    else reasons.set(text, parsed.reason);
  }
  return { entries: [...entries], faults: reasons.size === 0 ? [] : describeFaults(input, reasons) };
}

/** Called with a trimmed, non-empty entry, and with its line in a string or its position in an array. Both start at 1. */
type AcceptEntry = (text: string, place: number) => void;

function forEachEntry(input: string | readonly string[], accept: AcceptEntry): void {
  if (typeof input === "string") splitString(input, accept);
  else for (const [index, item] of input.entries()) splitString(item, (text) => accept(text, index + 1));
}

const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads one character at a time: 65,000 blank entries take 0.5 ms, and 11 ms if each line is split at its commas. */
function splitString(input: string, accept: AcceptEntry): void {
  let line = 1;
  let start = 0;
  for (let end = 0; end <= input.length; end += 1) {
    const code = end < input.length ? input.charCodeAt(end) : lineFeed;
    if (code !== comma && code !== lineFeed && code !== carriageReturn) continue;
    const text = start < end ? input.slice(start, end).trim() : "";
    if (text !== "") accept(text, line);
    start = end + 1;
    const isWithinLineEnd = code === lineFeed && end > 0 && input.charCodeAt(end - 1) === carriageReturn;
    if (code !== comma && !isWithinLineEnd) line += 1;
  }
}

/**
 * Describes each invalid entry with its place, up to a limit: the response to a file of the wrong kind must not be larger than the
 * file. It splits the input again, so that valid lists and lists that are too long need no places: an object for each of 30,000
 * entries took 1.5 ms.
 */
function describeFaults(input: string | readonly string[], reasons: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const placeName = typeof input === "string" ? "line" : "entry";
  let refused = 0;
  forEachEntry(input, (text, place) => {
    const reason = reasons.get(text);
    if (reason === undefined) return;
    refused += 1;
    if (refused <= maxFaults) faults.push(`${placeName} ${place}: ${quote(text)} ${reason}`);
  });
  if (refused > maxFaults) faults.push(`has ${refused - maxFaults} more invalid entries`);
  return faults;
}

function quote(text: string): string {
  return showInvisibleCharacters(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}
