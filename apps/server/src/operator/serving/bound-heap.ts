import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * V8 keeps young objects in two halves. It doubles them while many objects survive, up to 128 MB together, and keeps that size as long
 * as there is load. With a quarter of that, reads take no more time (docs/decisions.md).
 */
const maxYoungBytes = 32 * 1024 * 1024;
/** A check takes 2 µs. In half a second, a burst whose objects all survived grew past the bound. */
const checkIntervalMs = 100;
/** With how large a half a thread begins. It could not grow while the main thread has reached its bound. */
const threadHalfMegabytes = 4;
/**
 * How much garbage V8 lets old objects gather, in percent of those in use. By itself, it decides for up to 300. With 50, updates took
 * 5 % longer.
 */
const maxOldGarbagePercent = 150;

/**
 * Bounds how far the heap of this process grows, until it is disposed of. V8 has options for that, but reads them when the process
 * starts, and whoever starts it would have to know them. These two it reads before each growth. A V8 that ignored them would use
 * more memory, and nothing else would change.
 */
export function boundHeap(): Disposable {
  setFlagsFromString(`--heap-growing-percent=${maxOldGarbagePercent}`);
  setFlagsFromString(`--min-semi-space-size=${threadHalfMegabytes}`);
  // V8 gives back what it does not need, and must be able to grow again: so not once, but at intervals.
  const check = () => setFlagsFromString(`--semi-space-growth-factor=${readYoungBytes() < maxYoungBytes ? 2 : 1}`);
  const timer = setInterval(check, checkIntervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function readYoungBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
