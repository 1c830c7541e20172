import { expect, test } from "vitest";
import { createRandom } from "../src/random.ts";

const items = Array.from({ length: 20 }, (_, index) => index);

function choose(seed: number): unknown[] {
  const random = createRandom(seed);
  const numbers = items.map(() => random.integer(1, 1_000_000));
  return [numbers, random.shuffle(items), random.pick(items), random.fork("writer").integer(1, 1_000_000)];
}

test("the same seed gives the same choices", () => {
  expect(choose(42)).toEqual(choose(42));
  expect(choose(42)).not.toEqual(choose(43));
});

test("forks of different names choose differently", () => {
  const random = createRandom(42);
  const first = random.fork("first");
  const second = random.fork("second");
  expect(items.map(() => first.integer(1, 1_000))).not.toEqual(items.map(() => second.integer(1, 1_000)));
});
