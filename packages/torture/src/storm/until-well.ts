import { setTimeout as sleep } from "node:timers/promises";
import type { Load } from "./load.ts";

export interface Wellness {
  readonly load: Load;
  readonly sinceMs: number;
  /** How long it may take. */
  readonly maxMs: number;
  /** What must hold beside that no request fails. */
  readonly isWhole?: () => boolean;
}

/** Longer than a request may hang, so that one that hangs now is seen. */
const calmMs = 3_000;
/** So many requests must be answered meanwhile: two of each client. */
const minAnswered = 24;

/**
 * Waits until no request has failed for a while, and many were answered.
 *
 * @returns how long after `sinceMs` the last one that failed began; infinity if that goes on past `maxMs`
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
