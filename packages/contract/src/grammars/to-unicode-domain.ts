import { decodeLabel } from "./decode-label.ts";
import { hasHyphenAtEnd } from "./has-hyphen-at-end.ts";

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
  return hasHyphenAtEnd(label) ? label : (decodeLabel(label) ?? label);
}
