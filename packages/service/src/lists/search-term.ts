import { toAscii } from "@siteward/contract";

/**
 * Converts a search to a part of a canonical domain: in lower case, and in ASCII if it is an internationalized name.
 *
 * @returns undefined if no canonical domain can contain it
 */
export function toSearchTerm(search: string): string | undefined {
  const text = search.trim().toLowerCase();
  if (isCanonical(text)) return text;
  // `toAscii` treats ASCII such as a slash, a colon or a percent sign as the start of another part of a URL.
  if (!/^[a-z0-9.\-\u0080-\u{10ffff}]*$/u.test(text)) return undefined;
  const ascii = toAscii(`${text}${labelAfter}`);
  if (ascii === undefined || !ascii.endsWith(labelAfter)) return undefined;
  const term = ascii.slice(0, -labelAfter.length);
  return isCanonical(term) ? term : undefined;
}

/** Added after the term, so that a term that ends in digits of another script is not read as an IP address. */
const labelAfter = ".x";

function isCanonical(text: string): boolean {
  return /^[a-z0-9.-]+$/.test(text);
}
