import { showInvisibleCharacters } from "./characters.ts";

/** The result of parsing a string: its canonical form, or what is wrong with it and what to send instead. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** How the entries of a list field are parsed. */
export interface EntryGrammar {
  /** The largest number of different entries. */
  readonly maxEntries: number;
  /** Converts a trimmed, non-empty entry to its canonical form. */
  readonly parseEntry: (text: string) => Parsed<string>;
}

/** The canonical entries, and a message for every invalid entry. */
interface EntryList {
  readonly entries: string[];
  readonly faults: string[];
}

const maxFaults = 20;

/**
 * Parses a list field: a string with entries separated by commas or line breaks, or an array of such strings. A form body needs
 * the string, since it has no arrays. Blank entries are ignored, duplicates are removed, and the order is kept.
 *
 * Entries are counted before any is parsed: a body of 64 KiB can contain 30,000. Each different one is parsed once.
 */
export function parseEntryList(input: string | readonly string[], grammar: EntryGrammar): EntryList {
  const texts = new Set<string>();
  for (const item of itemsOf(input)) for (const text of item.match(written) ?? []) texts.add(text.trimEnd());
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

/** An entry as it is written, without whitespace before it. */
const written = /[^,\s][^,\r\n]*/g;

function itemsOf(input: string | readonly string[]): readonly string[] {
  return typeof input === "string" ? [input] : input;
}

/**
 * Describes each invalid entry with its line in a string or its position in an array, up to a limit: the response to a file of the
 * wrong kind must not be larger than the file.
 */
function describeFaults(input: string | readonly string[], reasons: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  let refused = 0;
  for (const [position, item] of itemsOf(input).entries()) {
    for (const { 0: entry, index } of item.matchAll(written)) {
      const text = entry.trimEnd();
      const reason = reasons.get(text);
      if (reason === undefined) continue;
      refused += 1;
      if (refused > maxFaults) continue;
      const place = typeof input === "string" ? `line ${lineAt(item, index)}` : `entry ${position + 1}`;
      faults.push(`${place}: ${quote(text)} ${reason}`);
    }
  }
  if (refused > maxFaults) faults.push(`has ${refused - maxFaults} more invalid entries`);
  return faults;
}

function lineAt(text: string, index: number): number {
  return 1 + (text.slice(0, index).match(/\r\n?|\n/g)?.length ?? 0);
}

function quote(text: string): string {
  return showInvisibleCharacters(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}
