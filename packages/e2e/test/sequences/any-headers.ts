import fc, { type Arbitrary } from "fast-check";
import { weighted } from "./weighted.ts";

export type SentHeaders = Readonly<Record<string, string>>;

const anyTag = weighted(
  [12, fc.constant("{{tag-of path}}")],
  [2, fc.constantFrom("{{tag-of 1}}", "{{tag-of 2}}")],
  [5, fc.integer({ min: 0, max: 4 }).map((back) => `{{tag ${back}}}`)],
  [2, fc.constant("*")],
);

/** @param share how many of a hundred requests have each condition */
export function anyConditions(share: number): Arbitrary<SentHeaders> {
  return weighted<SentHeaders>(
    [100 - 2 * share, fc.constant({})],
    [share, anyTag.map((tag) => ({ "If-Match": tag }))],
    [share, anyTag.map((tag) => ({ "If-None-Match": tag }))],
    [Math.ceil(share / 5), fc.record({ "If-Match": anyTag, "If-None-Match": anyTag })],
  );
}

export const anyIdempotencyKey: Arbitrary<SentHeaders> = weighted<SentHeaders>(
  [60, fc.constant({})],
  [36, fc.constantFrom("one", "two", "x".repeat(255)).map((key) => ({ "Idempotency-Key": key }))],
);
