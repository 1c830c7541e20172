import { setUpError } from "../state/set-up-error.ts";

/** The longest delay of `setTimeout`. */
const maxDelayMs = 2 ** 31 - 1;

/** @throws TypeError if no response can be delayed for this long */
export function checkDelay(delayMs: number): void {
  if (delayMs === Number.POSITIVE_INFINITY || (delayMs >= 0 && delayMs <= maxDelayMs)) return;
  throw setUpError("delayNext", `delayMs must be a number from 0 to ${maxDelayMs}, or Infinity.`);
}

/**
 * Waits. An infinite wait ends only with its signal, and holds no timer.
 *
 * @throws the reason of the signal if it is aborted
 */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer =
      delayMs === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
          }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
