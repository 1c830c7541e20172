import { toUnicodeDomain } from "@siteward/contract";

/** Returns what `websites.unicode_domain` stores for a canonical domain: its Unicode form, or null if it is the same. */
export function unicodeDomain(domain: string): string | null {
  // Almost no domain. To convert one takes 0.5 µs, and 3 µs for each label in Punycode.
  if (!domain.includes("xn--")) return null;
  const unicode = toUnicodeDomain(domain);
  return unicode === domain ? null : unicode;
}
