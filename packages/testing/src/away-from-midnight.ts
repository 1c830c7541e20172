import { setTimeout as sleep } from "node:timers/promises";

const dayMs = 86_400_000;
/** Servers read their clock a moment later. */
const marginMs = 50;

/**
 * Waits until after midnight (UTC) if that is nearer than this. Then no count of a day begins again during a test that takes less time,
 * and the end of the day that it expects is the one that a server says.
 */
export async function awayFromMidnight(testMs: number): Promise<void> {
  const untilMidnightMs = dayMs - (Date.now() % dayMs);
  if (untilMidnightMs < testMs) await sleep(untilMidnightMs + marginMs);
}
