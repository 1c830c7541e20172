import { readDurationMs } from "../../duration.ts";
import { type AuditAction, auditActions } from "../../storage/interface/audit-store.ts";
import { UsageError } from "../io/command-error.ts";

/**
 * Reads where a trail begins: a duration before now (`7d`; m, h, d or w) or a date (`2027-01-31`, or with a time, RFC 3339).
 * Returns milliseconds since 1970.
 */
export function readSince(text: string, nowMs: number): number {
  const durationMs = readDurationMs(text);
  const since = durationMs === undefined ? readTime(text) : nowMs - durationMs;
  if (since !== undefined) return Math.max(0, since);
  throw new UsageError(
    `--since is ${JSON.stringify(text)}. Use a duration such as 7d or 12h, or a time such as 2027-01-31T09:00:00Z.`,
  );
}

/** Reads comma-separated actions. */
export function readActions(text: string): AuditAction[] {
  return text.split(",").map((name) => {
    const action = auditActions.find((known) => known === name.trim());
    if (action !== undefined) return action;
    throw new UsageError(`--action has the unknown action ${JSON.stringify(name)}. Use ${auditActions.join(", ")}.`);
  });
}

/** Reads a whole number of at least 1 from an option. */
export function readCount(option: string, text: string, max: number): number {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`${option} is ${JSON.stringify(text)}. Use a whole number from 1 to ${max}.`);
}

/** Date reads February 30 as March 2, so the day must be the same afterwards. */
function readTime(text: string): number | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.exec(text)?.[1];
  const isDay = day !== undefined && new Date(day).getTime() >= 0 && new Date(day).toISOString().startsWith(day);
  const time = isDay ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
