import { UsageError } from "../io/command-error.ts";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Reads when a key expires: a duration from now (`90d`; m, h, d or w) or a date (`2027-01-31`, or with a time, RFC 3339).
 *
 * @throws UsageError for any other text, and for a time in the past
 */
export function parseExpiry(text: string, nowMs: number): Date {
  const expiresAt = parseSpan(text, nowMs) ?? parseDate(text);
  if (expiresAt === undefined || Number.isNaN(expiresAt.getTime())) {
    throw new UsageError(
      `--expires is ${JSON.stringify(text)}. Use a duration such as 90d or 12h, or a date such as 2027-01-31.`,
    );
  }
  if (expiresAt.getTime() <= nowMs)
    throw new UsageError(`--expires is ${JSON.stringify(text)}, which is in the past. Use a later time.`);
  return expiresAt;
}

function parseSpan(text: string, nowMs: number): Date | undefined {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  if (match === null) return undefined;
  // The pattern matches only the letters of the table.
  const unit = match[2] as keyof typeof unitMs;
  return new Date(nowMs + Number(match[1]) * unitMs[unit]);
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
