import { decodeText } from "./decode-text.ts";

/** A line of a source of any size, or why it is not read. Lines count from 1. */
export type BoundedLine = { readonly number: number } & ({ readonly text: string } | { readonly fault: string });

const lineFeed = 0x0a;

/**
 * Splits bytes into lines, of which no more than one is in memory. A line that is too long is skipped to its end.
 *
 * @param maxBytes the longest line
 */
export async function* boundedLines(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<readonly BoundedLine[]> {
  const reader = new LineReader(maxBytes);
  for await (const chunk of source) yield reader.read(chunk);
  yield reader.finish();
}

class LineReader {
  readonly #maxBytes: number;
  /** What was read of the current line. */
  #parts: Buffer[] = [];
  #length = 0;
  #number = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that end in the chunk. */
  read(chunk: Buffer): readonly BoundedLine[] {
    const lines: BoundedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  /** Returns the last line, if it has no end. */
  finish(): readonly BoundedLine[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  #take(): BoundedLine {
    this.#number += 1;
    const [only, ...others] = this.#parts;
    const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#parts);
    const isTooLong = this.#length > this.#maxBytes;
    this.#parts = [];
    this.#length = 0;
    if (isTooLong) return { number: this.#number, fault: `is longer than ${this.#maxBytes / 1024} KiB` };
    const decoded = decodeText(bytes);
    return decoded.ok ? { number: this.#number, text: decoded.value } : { number: this.#number, fault: decoded.reason };
  }
}
