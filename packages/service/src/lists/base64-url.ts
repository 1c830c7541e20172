/** Encodes ASCII characters in base64url (RFC 4648, section 5), without padding. */
export function encodeBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes base64 or base64url as leniently as Node's `Buffer` does: other characters are ignored, and so is everything from
 * the first padding on.
 *
 * @returns a string with one character for each byte
 */
export function decodeBase64Url(text: string): string {
  const [digits = ""] = text
    .replace(/[^\w+/=-]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .split("=");
  // A single digit at the end is less than a byte.
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
}
