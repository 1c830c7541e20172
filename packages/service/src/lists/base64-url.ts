/** Encodes ASCII characters in base64url (RFC 4648, section 5), without padding. */
export function encodeBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes base64url, and other spellings of the same bytes: base64, with padding or with spaces.
 *
 * @returns a string with one character for each byte
 * @throws DOMException for any other text
 */
export function decodeBase64Url(text: string): string {
  return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
}
