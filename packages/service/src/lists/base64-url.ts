/** Encodes the UTF-8 of a text in base64url (RFC 4648, section 5), without padding. */
export function encodeBase64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes base64url, and other spellings of the same bytes: base64, with padding or with spaces.
 *
 * @throws DOMException for any other text
 */
export function decodeBase64Url(text: string): string {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
