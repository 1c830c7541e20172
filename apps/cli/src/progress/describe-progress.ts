import type { RequestLimit } from "./request-limit.ts";
import type { Work } from "./work.ts";

/** How far a work is, and how fast. */
interface Pace extends Pick<Work, "total" | "stepsPerRequest"> {
  readonly done: number;
  /** How many steps were done in each of the last seconds. */
  readonly perSecond: number;
  readonly limit: RequestLimit | undefined;
}

/**
 * Returns how many seconds a work takes from now on, by its speed or by the rate limit, whichever is longer: at first, requests
 * are faster than the limit refills. Undefined if nobody can tell.
 */
export function secondsLeft({ total, done, perSecond, limit, stepsPerRequest = 1 }: Pace): number | undefined {
  if (total === undefined) return undefined;
  const left = Math.max(0, total - done);
  const bySpeed = perSecond > 0 ? left / perSecond : 0;
  const byLimit = limit === undefined ? 0 : ((left / stepsPerRequest - limit.remaining) * 60) / limit.perMinute;
  const seconds = Math.max(bySpeed, byLimit);
  return seconds > 0 || perSecond > 0 ? seconds : undefined;
}

/** Says why requests wait. */
export function describeLimit({ perMinute }: RequestLimit): string {
  return `Waiting for the limit of the API key, ${formatCount(perMinute)} requests a minute`;
}

/** Says the same in less room. */
export function describeLimitShortly({ perMinute }: RequestLimit): string {
  return `Limit of the API key: ${formatCount(perMinute)}/min`;
}

/** Formats a count with separators: "10,000". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a time: "19 s", "1 min 15 s", "4 h 10 min". */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${formatCount(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} min`;
}
