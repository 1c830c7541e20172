import { hasHyphenAtEnd } from "./has-hyphen-at-end.ts";
import { toAscii } from "./to-ascii.ts";

/** The time to map a name grows with the square of its length. Names that map to a short enough one are far shorter than this. */
export const maxUnmappedLength = 1000;

/**
 * At most 253 characters: at least two labels of 1 to 63 letters, digits and hyphens, with no hyphen at either end. URL parsers
 * read a name whose last label is a number as an IPv4 address.
 */
const hostName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!(\d+|0x[\da-f]*)$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the canonical form of a domain: trimmed, in lowercase, mapped to ASCII by the WHATWG URL rules (IDNA), without one
 * trailing dot. It keeps `www.`, which is another host. `parseDomain` says what is wrong with a string that is refused.
 *
 * @returns the canonical domain, or undefined if the string is not a domain
 * @example canonicalizeDomain("Bücher.example.") // "xn--bcher-kva.example"
 */
export function canonicalizeDomain(text: string): string | undefined {
  const name = text.trim();
  // The mapping removes one kind of whitespace, U+FEFF, instead of refusing it.
  if (name.length > maxUnmappedLength || /\s/.test(name)) return undefined;
  const domain = toAscii(name)?.replace(/\.$/, "") ?? "";
  return hostName.test(domain) && !domain.split(".").some(hasHyphenAtEnd) ? domain : undefined;
}
