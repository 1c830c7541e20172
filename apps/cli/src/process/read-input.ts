import { systemReason } from "./system-reason.ts";

/** A text that was read, or what is wrong with it, such as "is not UTF-8; save it as UTF-8". */
type TextReading = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/**
 * Reads bytes up to a limit. The source may be a device that never ends.
 *
 * @returns undefined if there are more
 */
export async function readBytes(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Uint8Array | undefined> {
  // Takes only the memory that is written to. Chunks that are joined at the end would take twice as much.
  const bytes = new Uint8Array(maxBytes);
  let size = 0;
  for await (const chunk of source) {
    if (size + chunk.length > maxBytes) return undefined;
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

/** Decodes UTF-8, without a byte order mark. Refuses other encodings instead of changing what a file says. */
export function decodeText(bytes: Uint8Array): TextReading {
  const [first, second] = bytes;
  // Every newer format of spreadsheets is a ZIP archive.
  if (first === 0x50 && second === 0x4b && bytes[2] === 3)
    return { ok: false, reason: "is a spreadsheet or a ZIP archive; open it, and save it as CSV in UTF-8" };
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0);
  if (isUtf16) return { ok: false, reason: "is UTF-16 or not a text file; save it as UTF-8" };
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: "is not UTF-8; save it as UTF-8" };
  }
}

const maxSecretBytes = 64 * 1024;

/**
 * Reads a secret: one line, without the line break at its end. Another encoding would become another secret, which
 * nobody can type.
 */
export async function readSecret(source: AsyncIterable<Buffer>): Promise<TextReading> {
  try {
    const bytes = await readBytes(source, maxSecretBytes);
    if (bytes === undefined) return { ok: false, reason: "is larger than 64 KiB" };
    const decoded = decodeText(bytes);
    if (!decoded.ok) return decoded;
    const value = decoded.value.replace(/\r?\n$/, "");
    return /[\r\n]/.test(value) ? { ok: false, reason: "has more than one line" } : { ok: true, value };
  } catch (error) {
    return { ok: false, reason: `cannot be read: ${systemReason(error)}` };
  }
}
