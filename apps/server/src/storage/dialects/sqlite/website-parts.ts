import { type RawBuilder, sql } from "kysely";
import type { IndexedWebsite } from "../website-search-index.ts";

/** Returns the longest parts of the term in order, as a quoted phrase. The term contains no quotation mark. */
export function toPhrase(accountId: number, term: string): string {
  const characters = toCharacters(term);
  return `"${listParts(accountId, characters, Math.min(characters.length, maxPartLength))}"`;
}

/**
 * Returns the text to index: every part of three characters in order, so that a phrase of them matches a longer part of the
 * domain, and then every shorter part. The parts of the Unicode form come after those of the domain. No phrase matches parts of
 * both, because shorter parts are between them.
 */
export function toParts({ accountId, domain, unicodeDomain }: Omit<IndexedWebsite, "id">): string {
  const parts = listForm(accountId, domain);
  return unicodeDomain === null ? parts : parts + listForm(accountId, unicodeDomain);
}

/** Lists a shorter part only once if the form is ASCII, as almost all are. The index is smaller then. */
function listForm(accountId: number, form: string): string {
  const characters = toCharacters(form);
  const isFirst = (part: string, start: number) => Array.isArray(characters) || form.indexOf(part) === start;
  const [pairs, singles] = [2, 1].map((length) => listParts(accountId, characters, length, isFirst));
  return `${listParts(accountId, characters, maxPartLength)}${pairs}${singles}`;
}

/** A string that is indexed by its characters. Strings of ASCII already are, and slicing them is faster. */
type Characters = string | readonly string[];

function toCharacters(text: string): Characters {
  return /\P{ASCII}/u.test(text) ? [...text] : text;
}

/** Concatenates strings, which takes a third as long as joining arrays. A domain contains no colon and no space. */
function listParts(
  accountId: number,
  characters: Characters,
  length: number,
  isListed: (part: string, start: number) => boolean = () => true,
): string {
  const prefix = `${accountId}:`;
  let parts = "";
  for (let start = 0; start + length <= characters.length; start += 1) {
    const part = partAt(characters, start, length);
    if (isListed(part, start)) parts += `${prefix}${part} `;
  }
  return parts;
}

function partAt(characters: Characters, start: number, length: number): string {
  if (typeof characters === "string") return characters.slice(start, start + length);
  let part = "";
  for (let place = start; place < start + length; place += 1) part += characters[place] ?? "";
  return part;
}

/** The length of the longest parts. */
const maxPartLength = 3;

/**
 * Parameters reach SQLite as floating-point numbers. FTS5 silently ignores a rowid bound that is not an integer, and then reads
 * the index from its beginning. The product is too large for a safe integer of JavaScript, so SQLite computes it.
 */
export function rowidOf(accountId: number, id: number): RawBuilder<number> {
  return sql<number>`(cast(${accountId} as integer) * 4294967296 + cast(${id} as integer))`;
}
