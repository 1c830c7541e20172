import { UsageError } from "./command-error.ts";

/**
 * Reads all text of an input, up to a limit.
 *
 * @throws UsageError if there is more
 */
export async function readBoundedInput(input: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new UsageError(
        `Standard input has more than ${maxBytes.toLocaleString("en")} bytes. Send it in several parts.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
