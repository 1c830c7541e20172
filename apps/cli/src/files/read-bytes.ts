/**
 * Reads bytes up to a limit. The source may be a device that never ends.
 *
 * @returns undefined if there are more
 */
export async function readBytes(
  source: AsyncIterable<Buffer | string>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}
