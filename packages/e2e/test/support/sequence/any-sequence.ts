import fc, { type Arbitrary } from "fast-check";
import { anyRequest } from "./any-request.ts";
import type { Sequence, Step } from "./sequence.ts";
import { weighted } from "./weighted.ts";

const anyStep: Arbitrary<Step> = weighted<Step>(
  [88, anyRequest],
  [9, fc.integer({ min: 0, max: 3 }).map((repeat) => ({ repeat }))],
  [3, fc.constantFrom(1, 1_000, 12_000, 61_000, 86_400_000).map((advanceMs) => ({ advanceMs }))],
);

/** A sequence of 5 to 30 steps. Some meet a low limit, and some begin with websites for more than one page. */
export const anySequence: Arbitrary<Sequence> = fc.record({
  websiteLimit: weighted<number | undefined>([4, fc.constant(undefined)], [1, fc.constantFrom(0, 1, 3)]),
  rateLimit: weighted<number | undefined>([6, fc.constant(undefined)], [1, fc.constantFrom(1, 4, 12)]),
  websiteCount: weighted([6, fc.constantFrom(0, 2)], [4, fc.constantFrom(3, 5)], [1, fc.constantFrom(11, 26)]),
  steps: weighted(
    [3, fc.array(anyStep, { minLength: 5, maxLength: 14, size: "max" })],
    [1, fc.array(anyStep, { minLength: 15, maxLength: 30, size: "max" })],
  ),
});
