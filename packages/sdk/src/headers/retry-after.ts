/**
 * Reads `Retry-After`: whole seconds, or an HTTP date.
 *
 * @param nowMs milliseconds since 1970
 * @returns milliseconds from now, at least 0; undefined if the header is missing or has neither form
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  // Date.parse accepts nearly anything with a digit; an HTTP date ends in GMT.
  const dateMs = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
