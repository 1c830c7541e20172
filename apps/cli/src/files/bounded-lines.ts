import { decodeText } from "../process/read-input.ts";

/** A line of a source of any size, or why it is not read. Lines count from 1. */
export type BoundedLine = { readonly number: number } & ({ readonly text: string } | { readonly fault: string });

const lineFeed = 0x0a;

/**
 * Splits bytes into lines, of which no more than one chunk is in memory. A line that is too long is skipped to its end.
 * Blank lines are only counted, and spaces at the start of others are dropped: 50 MB of line breaks take no memory and
 * little time.
 *
 * @param maxBytes the longest line
 * @param signal if it is aborted, the source may end within a line, which is not returned then
 */
export async function* boundedLines(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<readonly BoundedLine[]> {
  const current: Line = { number: 1, length: 0, parts: [] };
  for await (const chunk of source) yield readChunk(chunk, current, maxBytes);
  if (current.length > 0 && !signal.aborted) yield [endLine(current, maxBytes)];
}

/** What was read of a line. */
interface Line {
  number: number;
  length: number;
  parts: Buffer[];
}

/** Returns the lines that end in the chunk. */
function readChunk(chunk: Buffer, line: Line, maxBytes: number): readonly BoundedLine[] {
  const lines: BoundedLine[] = [];
  for (let start = skipBlank(chunk, 0, line); start < chunk.length; start = skipBlank(chunk, start, line)) {
    const end = chunk.indexOf(lineFeed, start);
    const part = chunk.subarray(start, end === -1 ? chunk.length : end);
    line.length += part.length;
    if (line.length > maxBytes) line.parts = [];
    else line.parts.push(part);
    if (end === -1) break;
    lines.push(endLine(line, maxBytes));
    start = end + 1;
  }
  return lines;
}

/** Returns where the first line starts that is not blank, if no part of a line was read. */
function skipBlank(chunk: Buffer, start: number, line: Line): number {
  if (line.length > 0) return start;
  let position = start;
  // A tab, a carriage return, a space or a line feed.
  for (let byte = chunk[position]; byte === 0x09 || byte === 0x0d || byte === 0x20 || byte === lineFeed; ) {
    if (byte === lineFeed) line.number += 1;
    position += 1;
    byte = chunk[position];
  }
  return position;
}

function endLine(line: Line, maxBytes: number): BoundedLine {
  const { number, length, parts } = line;
  [line.number, line.length, line.parts] = [number + 1, 0, []];
  if (length > maxBytes) return { number, fault: `is longer than ${maxBytes / 1024} KiB` };
  const decoded = decodeText(Buffer.concat(parts));
  return decoded.ok ? { number, text: decoded.value } : { number, fault: decoded.reason };
}
