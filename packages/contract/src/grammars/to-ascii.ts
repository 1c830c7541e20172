const suffix = ".é";
const asciiSuffix = ".xn--9ca";

/** The time to map a name grows with the square of its length. Names that map to a domain are far shorter than this. */
export const maxUnmappedLength = 1000;

/**
 * Maps a host name, or a part of one such as a search term, to ASCII by the WHATWG URL rules (IDNA).
 *
 * @returns the lowercase ASCII form, or undefined if the rules do not allow the string, or it is too long for a domain
 * @example toAscii("Bücher.example") // "xn--bcher-kva.example"
 */
export function toAscii(text: string): string | undefined {
  if (text.length > maxUnmappedLength) return undefined;
  // A URL parser would end the host at other characters of ASCII, or decode or remove them.
  if (/[^\w.\-\x80-\uffff]/.test(text)) return undefined;
  if (!/[^\w.-]|xn--/i.test(text)) return text.toLowerCase();
  try {
    // The suffix makes URL parsers check Punycode, which they skip if the entire host is ASCII, and keeps them from reading
    // a number as an IPv4 address.
    const ascii = new URL(`http://${text}${suffix}`).hostname.slice(0, -asciiSuffix.length);
    // The rules also allow punctuation that other characters are mapped to, such as a comma for U+FE50.
    return /[^\w.-]/.test(ascii) ? undefined : ascii;
  } catch {
    return undefined;
  }
}
