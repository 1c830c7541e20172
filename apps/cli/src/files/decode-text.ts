import type { Parsed } from "@siteward/contract/plain";

/** Decodes UTF-8, without a byte order mark. Refuses other encodings instead of changing what a file says. */
export function decodeText(bytes: Uint8Array): Parsed<string> {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0);
  if (isUtf16) return { ok: false, reason: "is UTF-16 or not a text file; save it as UTF-8" };
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: "is not UTF-8; save it as UTF-8" };
  }
}
