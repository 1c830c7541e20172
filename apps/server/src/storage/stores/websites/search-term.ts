import { toAscii } from "@siteward/contract";

/**
 * Reads a search as a part of a canonical domain: in lower case, and in ASCII where it is an internationalized name.
 *
 * @returns undefined where no canonical domain can hold it
 */
export function toSearchTerm(search: string): string | undefined {
  const text = search.trim().toLowerCase();
  if (isCanonical(text)) return text;
  // The mapping takes ASCII such as a slash, a colon or a percent sign for another part of a URL.
  if (!/^[a-z0-9.\-\u0080-\u{10ffff}]*$/u.test(text)) return undefined;
  const ascii = toAscii(`${text}${labelAfter}`);
  if (ascii === undefined || !ascii.endsWith(labelAfter)) return undefined;
  const term = ascii.slice(0, -labelAfter.length);
  return isCanonical(term) ? term : undefined;
}

/** Keeps a term that ends in digits of another script from being read as an IP address. */
const labelAfter = ".x";

function isCanonical(text: string): boolean {
  return /^[a-z0-9.-]+$/.test(text);
}
