import { decodeBase64Url, encodeBase64Url } from "./base64-url.ts";

/**
 * Returns the parts of a cursor. None if it cannot be read, or is not exactly what encodes these parts: base64 and JSON have many
 * spellings, and a cursor with a character more or less is a mistake of the client.
 */
export function parseCursor(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(decodeBase64Url(text));
    return Array.isArray(parts) && encodeBase64Url(JSON.stringify(parts)) === text ? parts : [];
  } catch {
    return [];
  }
}
