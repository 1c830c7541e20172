import type { Random } from "@siteward/testing/random";
import type { RawConnection } from "../client/raw-connection.ts";
import { percentile } from "../percentile.ts";

export interface TimingComparison {
  /** The second median minus the first. */
  readonly differenceMs: number;
  /** The probability of such a difference if the two are equal. */
  readonly p: number;
  /** Whether a client can distinguish the two. */
  readonly isTold: boolean;
}

/**
 * Equal requests, sent in turn, had medians 1 to 15 µs apart, whatever else the machine did. One more index or query costs 50 µs
 * or more, which a client in the same network could measure.
 */
const maxDifferenceMs = 0.05;
/** One run in a million fails by chance. */
const maxP = 1e-6;
const warmups = 30;

/** Times two requests over one connection, in a random order. */
export async function compareTiming(
  connection: RawConnection,
  requests: readonly [string, string],
  { samples, random }: { readonly samples: number; readonly random: Random },
): Promise<TimingComparison> {
  const times: readonly [number[], number[]] = [[], []];
  for (let count = -warmups; count < samples; count += 1) {
    for (const side of random.chance(0.5) ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedAtMs = performance.now();
      await connection.send(requests[side]);
      if (count >= 0) times[side].push(performance.now() - startedAtMs);
    }
  }
  const differenceMs = percentile(times[1], 50) - percentile(times[0], 50);
  const p = mannWhitney(...times);
  return { differenceMs, p, isTold: Math.abs(differenceMs) > maxDifferenceMs && p < maxP };
}

/**
 * Returns the probability that two samples of the same distribution differ in rank at least as much as these do (the two-sided
 * Mann–Whitney U test, by the normal approximation with ties). It works with any shape of the distribution.
 */
export function mannWhitney(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((value) => ({ value, isLeft: true })), ...right.map((value) => ({ value, isLeft: false }))];
  all.sort((one, other) => one.value - other.value);
  const count = all.length;
  let rankSum = 0;
  let ties = 0;
  for (let start = 0; start < count; ) {
    let end = start;
    while (end < count && all[end]?.value === all[start]?.value) end += 1;
    const size = end - start;
    // Ranks start at 1. Equal values share the mean of their ranks.
    const rank = (start + 1 + end) / 2;
    for (let index = start; index < end; index += 1) if (all[index]?.isLeft) rankSum += rank;
    ties += size ** 3 - size;
    start = end;
  }
  const pairs = left.length * right.length;
  const distance = Math.abs(rankSum - (left.length * (left.length + 1)) / 2 - pairs / 2);
  const variance = (pairs / 12) * (count + 1 - ties / (count * (count - 1)));
  return variance === 0 ? 1 : 2 * upperTail(distance / Math.sqrt(variance));
}

/** Returns the share of the normal distribution above a value of at least 0: Abramowitz and Stegun, 7.1.26, exact to 1.5e-7. */
function upperTail(value: number): number {
  const x = value / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (series * Math.exp(-x * x)) / 2;
}
