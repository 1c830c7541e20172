/**
 * Reads bytes up to a limit. The source may be a device that never ends.
 *
 * @returns undefined if there are more
 */
export async function readBytes(
  source: AsyncIterable<Buffer | string>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  // Takes only the memory that is written to. Chunks that are joined at the end would take twice as much.
  const bytes = new Uint8Array(maxBytes);
  let size = 0;
  for await (const chunk of source) {
    const next = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (size + next.length > maxBytes) return undefined;
    bytes.set(next, size);
    size += next.length;
  }
  return bytes.subarray(0, size);
}
