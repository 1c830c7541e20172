import { decodeLabel } from "./decode-label.ts";

const hyphenAtEnd = /^-|-$/;
/** Punycode whose characters of ASCII begin or end with a hyphen. No other can have one at an end of its Unicode form. */
const mayHideHyphen = /^xn--(-|.*--[a-z\d]+$)/;

/**
 * Checks whether a label or its Unicode form begins or ends with a hyphen. Neither may (RFC 5891, section 4.2.3.1), but URL parsers
 * accept both.
 *
 * @example hasHyphenAtEnd("xn----eha") // true: it is "-ü"
 */
export function hasHyphenAtEnd(label: string): boolean {
  return hyphenAtEnd.test(label) || (mayHideHyphen.test(label) && hyphenAtEnd.test(decodeLabel(label) ?? ""));
}
