import { setTimeout } from "node:timers/promises";

/** A database or a disk that is slow or fails must not keep the other metrics back. They are most useful then. */
const maxWaitMs = 300;

/**
 * Returns a function that reads a value for a scrape, one read at a time. It returns what was read last, or undefined, if the read fails or
 * takes long.
 *
 * @param maxAgeMs for how long a value is not read again
 */
export function readSoon<Value>(
  read: () => Promise<Value>,
  maxAgeMs: number,
  now: () => number = () => performance.now(),
): () => Promise<Value | undefined> {
  let last: Value | undefined;
  let reading: Promise<void> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const readNext = async () => {
    readAtMs = now();
    last = await read().catch(() => last);
    reading = undefined;
  };
  return async () => {
    if (reading === undefined && now() - readAtMs >= maxAgeMs) reading = readNext();
    if (reading !== undefined) await Promise.race([reading, setTimeout(maxWaitMs, undefined, { ref: false })]);
    return last;
  };
}
