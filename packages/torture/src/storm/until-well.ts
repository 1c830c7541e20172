import { setTimeout as sleep } from "node:timers/promises";
import type { Load } from "./load.ts";

export interface Wellness {
  readonly load: Load;
  readonly sinceMs: number;
  /** The longest time that the recovery may take. */
  readonly maxMs: number;
  /** A further condition besides that no request fails. */
  readonly isWhole?: () => boolean;
}

/** Longer than a request can hang, so that a request that hangs now is noticed. */
const calmMs = 3_000;
/** The number of requests that must be answered meanwhile: two for each client. */
const minAnswered = 24;

/**
 * Waits until no request has failed for a while and many were answered.
 *
 * @returns how long after `sinceMs` the last failed request started; infinity if requests fail for longer than `maxMs`
 */
export async function untilWell({ load, sinceMs, maxMs, isWhole = () => true }: Wellness): Promise<number> {
  let wholeAtMs = sinceMs;
  let wellAtMs = sinceMs;
  let answeredBefore = load.answered();
  for (;;) {
    if (!isWhole()) wholeAtMs = performance.now();
    await sleep(50);
    const troubledAtMs = Math.max(wholeAtMs, load.lastFailureAtMs());
    if (troubledAtMs > wellAtMs) {
      wellAtMs = troubledAtMs;
      answeredBefore = load.answered();
    }
    const nowMs = performance.now();
    if (wellAtMs - sinceMs > maxMs || nowMs - sinceMs > maxMs + calmMs * 2) return Number.POSITIVE_INFINITY;
    if (nowMs - wellAtMs > calmMs && load.answered() - answeredBefore >= minAnswered) return wellAtMs - sinceMs;
  }
}
