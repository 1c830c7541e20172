import fc, { type Arbitrary } from "fast-check";

/** Chooses one of several values, each as often as its weight says. */
export function weighted<Value>(
  ...choices: readonly (readonly [weight: number, arbitrary: Arbitrary<Value>])[]
): Arbitrary<Value> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
