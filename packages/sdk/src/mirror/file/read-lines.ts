import type { FileHandle } from "node:fs/promises";

/** What is read at once. Parsing it takes about 3 ms, so no turn of the event loop takes much longer. */
const chunkBytes = 256 * 1024;
/** 100 websites with the longest lists take 4 MB. */
const maxLineBytes = 16 * 1024 * 1024;
const lineBreak = 10;

/**
 * Reads the lines of a file, each as bytes with its line break, which are valid until the next line is read. Ends at a line that is
 * too long to be one of a mirror, so that a file of any content takes little memory.
 */
export async function* readLines(file: FileHandle): AsyncGenerator<Uint8Array, void, undefined> {
  let buffer = new Uint8Array(chunkBytes);
  /** How many bytes of the buffer belong to a line whose end was not read yet. */
  let length = 0;
  for (;;) {
    if (buffer.length - length < chunkBytes) buffer = enlarge(buffer);
    const { bytesRead } = await file.read(buffer, length, chunkBytes);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, length + bytesRead);
    let start = 0;
    for (let end = bytes.indexOf(lineBreak, length); end !== -1; end = bytes.indexOf(lineBreak, start)) {
      yield bytes.subarray(start, end + 1);
      start = end + 1;
    }
    buffer.copyWithin(0, start, bytes.length);
    length = bytes.length - start;
    if (length > maxLineBytes) break;
  }
  // The bytes after the last line break: of a file that is not whole.
  if (length > 0) yield buffer.subarray(0, length);
}

function enlarge(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2);
  larger.set(buffer);
  return larger;
}
