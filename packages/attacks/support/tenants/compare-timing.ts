import type { Random } from "@siteward/testing/random";
import type { RawConnection } from "../client/raw-connection.ts";
import { percentile } from "../percentile.ts";
import { mannWhitney } from "./mann-whitney.ts";

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
