import fc, { type Arbitrary } from "fast-check";

/** Chooses one of several values, each as often as its weight says. */
export function weighted<Value>(
  ...choices: readonly (readonly [weight: number, arbitrary: Arbitrary<Value>])[]
): Arbitrary<Value> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** A value in this many of a hundred cases, and otherwise undefined. */
export function sometimes(percent: number, value: Arbitrary<unknown>): Arbitrary<unknown> {
  return weighted<unknown>([100 - percent, fc.constant(undefined)], [percent, value]);
}
