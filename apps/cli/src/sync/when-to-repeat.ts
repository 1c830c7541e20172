import { isApiError } from "@siteward/sdk";

const minuteMs = 60_000;

/**
 * Says from when on a command can be repeated: " after 2026-11-24T00:00Z" if the account may change nothing more before
 * midnight UTC. Empty for every other error, after which it can be repeated once its cause is gone.
 *
 * The answer was read a moment ago, and midnight is a full minute.
 */
export function whenToRepeat(error: unknown, nowMs: number = Date.now()): string {
  if (!isApiError(error, "change_limit_reached") || error.retryAfterMs === undefined) return "";
  const end = new Date(Math.round((nowMs + error.retryAfterMs) / minuteMs) * minuteMs);
  return Number.isNaN(end.getTime()) ? "" : ` after ${end.toISOString().replace(":00.000Z", "Z")}`;
}
