import type { Parsed } from "./parsed.ts";

/** How the entries of one list field are read. */
export interface EntryGrammar {
  /** The largest number of different entries. */
  readonly maxEntries: number;
  /** Reads one trimmed, non-empty entry into its canonical form. */
  readonly parseEntry: (text: string) => Parsed<string>;
}

/** The canonical entries, and a message for every entry that was refused. */
export interface EntryList {
  readonly entries: string[];
  readonly faults: string[];
}

const maxFaults = 20;

/**
 * Reads a list field: entries stand on lines or between commas of one text, or in the texts of an array, as design
 * leaves open and the form body needs. Blank entries are passed over, duplicates dropped, order kept.
 */
export function parseEntryList(input: string | readonly string[], grammar: EntryGrammar): EntryList {
  const entries = new Set<string>();
  const faults: string[] = [];
  for (const { text, line } of splitEntries(input)) {
    const parsed = grammar.parseEntry(text);
    if (parsed.ok) entries.add(parsed.value);
    else faults.push(`line ${line}: ${quote(text)} ${parsed.reason}`);
  }
  const shown = shorten(faults);
  if (entries.size > grammar.maxEntries) {
    shown.push(`holds ${entries.size} different entries; send at most ${grammar.maxEntries}`);
  }
  return { entries: [...entries], faults: shown };
}

function* splitEntries(input: string | readonly string[]): Generator<{ text: string; line: number }> {
  const texts = typeof input === "string" ? [input] : input;
  let line = 0;
  for (const lineText of texts.flatMap((text) => text.split(/\r\n|\r|\n/))) {
    line += 1;
    for (const entry of lineText.split(",")) {
      const text = entry.trim();
      if (text !== "") yield { text, line };
    }
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** A file of the wrong kind must not come back as an answer larger than itself. */
function shorten(faults: string[]): string[] {
  if (faults.length <= maxFaults) return faults;
  return [...faults.slice(0, maxFaults), `holds ${faults.length - maxFaults} more entries that are refused`];
}
