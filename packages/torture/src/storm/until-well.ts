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
const calmMs = 2_500;

/**
 * Waits until no request has failed for a while.
 *
 * @returns how long after `sinceMs` the last one that failed began; infinity if that goes on past `maxMs`
 */
export async function untilWell({ load, sinceMs, maxMs, isWhole = () => true }: Wellness): Promise<number> {
  let wholeAtMs = sinceMs;
  for (;;) {
    if (!isWhole()) wholeAtMs = performance.now();
    const answeredBefore = load.answered();
    await sleep(50);
    const wellAtMs = Math.max(sinceMs, wholeAtMs, load.lastFailureAtMs());
    const nowMs = performance.now();
    if (wellAtMs - sinceMs > maxMs || nowMs - sinceMs > maxMs + calmMs * 2) return Number.POSITIVE_INFINITY;
    if (nowMs - wellAtMs > calmMs && load.answered() > answeredBefore) return wellAtMs - sinceMs;
  }
}
