import type { Random } from "@siteward/testing/random";
import type { RawConnection } from "../client/raw-connection.ts";
import { percentile } from "../percentile.ts";

export interface TimingComparison {
  /** The median of the second minus the first. */
  readonly differenceMs: number;
  /** In which share of the pairs the second took longer. */
  readonly slowerShare: number;
  /** Whether a client can distinguish the two. */
  readonly isTold: boolean;
}

/**
 * Equal requests, sent in turn, had medians 1 to 15 µs apart, whatever else the machine did. One more index or query costs 50 µs
 * or more, which a client in the same network could measure.
 */
const maxDifferenceMs = 0.05;
/** One run in a million has a share as many standard deviations from a half, if the two are equal. */
const maxDeviations = 4.9;
const warmups = 30;

/** Times two requests over one connection in pairs, each in a random order, so that other work slows both down. */
export async function compareTiming(
  connection: RawConnection,
  requests: readonly [string, string],
  { samples, random }: { readonly samples: number; readonly random: Random },
): Promise<TimingComparison> {
  const differencesMs: number[] = [];
  for (let count = -warmups; count < samples; count += 1) {
    const timesMs: [number, number] = [0, 0];
    for (const side of random.chance(0.5) ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedAtMs = performance.now();
      await connection.send(requests[side]);
      timesMs[side] = performance.now() - startedAtMs;
    }
    if (count >= 0) differencesMs.push(timesMs[1] - timesMs[0]);
  }
  const differenceMs = percentile(differencesMs, 50);
  const slowerShare = differencesMs.filter((difference) => difference > 0).length / samples;
  const deviations = Math.abs(slowerShare - 0.5) * 2 * Math.sqrt(samples);
  const isTold = Math.abs(differenceMs) > maxDifferenceMs && deviations > maxDeviations;
  return { differenceMs, slowerShare, isTold };
}
