import { decode } from "punycode/punycode.es6.js";
import { toAscii } from "./to-ascii.ts";

/**
 * Returns a domain as people read it: the Unicode form (IDNA) of each label. A label that has none, or that is not what the
 * service stores for its Unicode form, stays as it is. Sends no request.
 *
 * Different domains can look the same: `xn--pple-43d.com` is "аpple.com" with a Cyrillic letter. Show the ASCII form, too,
 * where that matters.
 *
 * @param domain the canonical form, as every record contains it
 * @example
 * toUnicodeDomain("xn--bcher-kva.example"); // "bücher.example"
 */
export function toUnicodeDomain(domain: string): string {
  return domain.split(".").map(toUnicodeLabel).join(".");
}

function toUnicodeLabel(label: string): string {
  const unicode = decodeLabel(label);
  return unicode === undefined || hyphenAtEnd.test(unicode) ? label : unicode;
}

const hyphenAtEnd = /^-|-$/;

/**
 * Checks whether a label in its Unicode form begins or ends with a hyphen. None may (RFC 5891, section 4.2.3.1), but URL parsers
 * accept it.
 *
 * @example hasHyphenAtEnd("xn----eha") // true: it is "-ü"
 */
export function hasHyphenAtEnd(label: string): boolean {
  return hyphenAtEnd.test(decodeLabel(label) ?? label);
}

/**
 * Returns the Unicode form of a label in Punycode.
 *
 * @returns undefined if the label is not in Punycode, or not what its Unicode form is mapped to
 * @example decodeLabel("xn--bcher-kva") // "bücher"
 */
export function decodeLabel(label: string): string | undefined {
  if (!/^xn--.{0,59}$/.test(label)) return undefined;
  try {
    const unicode = decode(label.slice(4));
    return toAscii(unicode) === label ? unicode : undefined;
  } catch {
    // Not valid Punycode.
    return undefined;
  }
}
