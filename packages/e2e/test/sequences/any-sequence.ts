import fc, { type Arbitrary } from "fast-check";
import { anyListRequest, anyRequest } from "./any-request.ts";
import type { PlannedRequest, Sequence, Step } from "./sequence.ts";
import { weighted } from "./weighted.ts";

const noLimit = fc.constant(undefined);

/** A sequence of 5 to 30 steps, most of them short. Some meet a low limit, and some have websites for several pages. */
export const anySequence: Arbitrary<Sequence> = weighted<Sequence>(
  [
    8,
    fc.record({
      websiteLimit: weighted<number | undefined>([5, noLimit], [1, fc.constantFrom(0, 1, 3)]),
      rateLimit: noLimit,
      websiteCount: fc.constantFrom(0, 2, 2, 3, 3, 5),
      steps: anySteps(anyRequest),
    }),
  ],
  [
    1,
    fc.record({
      websiteLimit: noLimit,
      rateLimit: fc.constantFrom(1, 4, 12),
      websiteCount: fc.constantFrom(0, 2),
      steps: anySteps(anyRequest),
    }),
  ],
  [
    1,
    fc.record({
      websiteLimit: noLimit,
      rateLimit: noLimit,
      websiteCount: fc.constantFrom(11, 26),
      steps: anySteps(weighted([3, anyListRequest], [2, anyRequest])),
    }),
  ],
);

function anySteps(request: Arbitrary<PlannedRequest>): Arbitrary<readonly Step[]> {
  const anyStep = weighted<Step>(
    [88, request],
    [9, fc.integer({ min: 0, max: 3 }).map((repeat) => ({ repeat }))],
    [3, fc.constantFrom(1, 1_000, 12_000, 61_000, 86_400_000).map((advanceMs) => ({ advanceMs }))],
  );
  return weighted(
    [3, fc.array(anyStep, { minLength: 5, maxLength: 14, size: "max" })],
    [1, fc.array(anyStep, { minLength: 15, maxLength: 30, size: "max" })],
  );
}
