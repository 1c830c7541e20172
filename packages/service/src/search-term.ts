import { toAscii, toUnicodeDomain } from "@siteward/contract";

const pastedUrl = /^https?:\/\/(?:www\.)?([^/?#:@]+).*$/is;

/**
 * Converts a search to a part of a domain, in lower case. A pasted URL is its host without `www.`. ASCII is a part of the
 * canonical or of the Unicode form, other text of the Unicode form, mapped as characters of a domain are (IDNA).
 *
 * @returns undefined if no domain can contain it
 */
export function toSearchTerm(search: string): string | undefined {
  // Decomposed, "≮" begins with "<".
  const text = search.trim().normalize().replace(pastedUrl, "$1");
  if (/^[a-z0-9.-]+$/i.test(text)) return text.toLowerCase();
  // Other characters of ASCII are in no domain, and a URL parser would read some as the start of another part of a URL.
  if (!isPart(text, /^[a-z0-9.\-\u{80}-\u{10ffff}]+$/iu)) return undefined;
  const term = toUnicodeDomain(mapCharacters(text));
  return isPart(term, /^[a-z0-9.\-\u{80}-\u{10ffff}]+$/u) ? term : undefined;
}

function isPart(text: string, characters: RegExp): boolean {
  return characters.test(text) && text.isWellFormed();
}

/**
 * Maps each character alone, because a part of a name need not be a name: it may begin with a combining mark. A character that
 * no name can begin with stays as it is. Then the characters are composed, as in a name.
 */
function mapCharacters(text: string): string {
  const characters = [...text];
  // A URL parser takes 3 µs for a character, and a long search has most of its characters several times.
  const mapped = new Map([...new Set(characters)].map((character) => [character, mapCharacter(character)]));
  return characters
    .map((character) => mapped.get(character))
    .join("")
    .normalize("NFKC");
}

function mapCharacter(character: string): string {
  return toUnicodeDomain(toAscii(character) ?? character);
}
