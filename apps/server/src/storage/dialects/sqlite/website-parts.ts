import { type RawBuilder, sql } from "kysely";

/** Returns the longest parts of the term in order, as a quoted phrase. The term contains no quotation mark. */
export function toPhrase(accountId: number, term: string): string {
  return `"${listParts(accountId, term, Math.min(term.length, maxPartLength))}"`;
}

/**
 * Returns the text to index: every part of three characters in order, so that a phrase of them matches a longer part of the
 * domain, and then every shorter part once.
 */
export function toParts(accountId: number, domain: string): string {
  const isFirst = (part: string, start: number) => domain.indexOf(part) === start;
  const [pairs, characters] = [2, 1].map((length) => listParts(accountId, domain, length, isFirst));
  return `${listParts(accountId, domain, maxPartLength)}${pairs}${characters}`;
}

/** Concatenates strings, which takes a third as long as joining arrays. A domain contains no colon and no space. */
function listParts(
  accountId: number,
  text: string,
  length: number,
  isListed: (part: string, start: number) => boolean = () => true,
): string {
  let parts = "";
  for (let start = 0; start + length <= text.length; start += 1) {
    const part = text.slice(start, start + length);
    if (isListed(part, start)) parts += `${accountId}:${part} `;
  }
  return parts;
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
