import type { RawConnection } from "../client/raw-connection.ts";
import { percentile } from "../percentile.ts";
import type { Random } from "../random.ts";
import { mannWhitney } from "./mann-whitney.ts";

export interface TimingComparison {
  /** Of the medians: the second less the first. */
  readonly differenceMs: number;
  /** How probable so great a difference is if there is none. */
  readonly p: number;
  /** Whether a client can tell the two apart. */
  readonly isTold: boolean;
}

/**
 * Equal requests, alternated, gave medians 1 to 15 µs apart, whatever else the machine did; what an index or a query more
 * costs, and a client in the same network could tell, is 50 µs and more.
 */
const maxDifferenceMs = 0.05;
/** One run in a million would fail by chance. */
const maxP = 1e-6;
const warmups = 30;

/** Times two requests in turns over one connection, in an order that chance decides. */
export async function compareTiming(
  connection: RawConnection,
  requests: readonly [string, string],
  { samples, random }: { readonly samples: number; readonly random: Random },
): Promise<TimingComparison> {
  const times: readonly [number[], number[]] = [[], []];
  for (let count = -warmups; count < samples; count += 1) {
    for (const side of random.shuffle([0, 1] as const)) {
      const startedAtMs = performance.now();
      await connection.send(requests[side]);
      if (count >= 0) times[side].push(performance.now() - startedAtMs);
    }
  }
  const differenceMs = percentile(times[1], 50) - percentile(times[0], 50);
  const p = mannWhitney(...times);
  return { differenceMs, p, isTold: Math.abs(differenceMs) > maxDifferenceMs && p < maxP };
}
