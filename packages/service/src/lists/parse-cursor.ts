import { decodeBase64Url } from "./base64-url.ts";

/** Returns the parts of a cursor. None if it cannot be read. */
export function parseCursor(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(decodeBase64Url(text));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
