import { readDurationMs } from "../../duration.ts";
import { UsageError } from "../io/command-error.ts";

/**
 * Reads when a key expires, or null for `never`. See `parseExpiry`.
 *
 * @throws UsageError for any other text, and for a time in the past
 */
export function readExpiry(text: string, nowMs: number): Date | null {
  return text === "never" ? null : parseExpiry(text, nowMs);
}

/**
 * Reads for how long an old key still works after its rotation: a duration such as `24h`, or `0`.
 *
 * @returns the time in milliseconds
 * @throws UsageError for any other text
 */
export function readOverlap(text: string): number {
  const overlapMs = text === "0" ? 0 : readDurationMs(text);
  if (overlapMs !== undefined) return overlapMs;
  throw new UsageError(`--overlap is ${JSON.stringify(text)}. Use a duration such as 24h or 7d, or 0.`);
}

/**
 * Reads when a key expires: a duration from now (`90d`; m, h, d or w) or a date (`2027-01-31`, or with a time, RFC 3339).
 *
 * @throws UsageError for any other text, and for a time in the past
 */
export function parseExpiry(text: string, nowMs: number): Date {
  const spanMs = readDurationMs(text);
  const expiresAt = spanMs === undefined ? parseDate(text) : new Date(nowMs + spanMs);
  if (expiresAt === undefined || Number.isNaN(expiresAt.getTime())) {
    throw new UsageError(
      `--expires is ${JSON.stringify(text)}. Use a duration such as 90d or 12h, or a date such as 2027-01-31.`,
    );
  }
  if (expiresAt.getTime() <= nowMs)
    throw new UsageError(`--expires is ${JSON.stringify(text)}, which is in the past. Use a later time.`);
  return expiresAt;
}

function parseDate(text: string): Date | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.exec(text)?.[1];
  return day !== undefined && isCalendarDay(day) ? new Date(text) : undefined;
}

/** Date reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
