import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedPlaces } from "./shared-places.ts";

describe("places that keys share", () => {
  test("one key gets at most half of them, two a third each, and there is always one for a key that has none", () => {
    for (const [keys, each] of [
      [1, 500],
      [2, 333],
      [3, 250],
      [9, 100],
    ] as const) {
      const places = new SharedPlaces(1_000);
      const taken = takeAll(places, keys);
      for (const count of taken.values()) expect(count).toBeGreaterThanOrEqual(each);
      for (const count of taken.values()) expect(count).toBeLessThanOrEqual(each + 1);
      expect(places.take(100, 1)).toBeUndefined();
    }
  });

  test("say whether all are taken, or the share of the key is", () => {
    const places = new SharedPlaces(4);
    expect([1, 1, 1].map((key) => places.take(key, 1))).toEqual([undefined, undefined, "share"]);
    expect([2, 2, 3].map((key) => places.take(key, 1))).toEqual([undefined, "share", undefined]);
    expect([4, 1].map((key) => places.take(key, 1))).toEqual(["full", "full"]);
    places.giveBack(1, 1);
    expect(places.take(1, 1)).toBe("share");
    expect(places.take(4, 1)).toBeUndefined();
  });

  test("several are taken all or none, and never more than there are", () => {
    const step = fc.record({ key: fc.nat({ max: 4 }), count: fc.integer({ min: 1, max: 40 }), isTaking: fc.boolean() });
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => play(steps)));
  });
});

interface Step {
  readonly key: number;
  readonly count: number;
  readonly isTaking: boolean;
}

function play(steps: readonly Step[]): void {
  const places = new SharedPlaces(100);
  const held: Omit<Step, "isTaking">[] = [];
  for (const { key, count, isTaking } of steps) {
    const given = isTaking ? undefined : held.shift();
    if (given !== undefined) places.giveBack(given.key, given.count);
    else if (places.take(key, count) === undefined) held.push({ key, count });
    expect(held.reduce((sum, place) => sum + place.count, 0)).toBeLessThanOrEqual(100);
  }
  for (const { key, count } of held) places.giveBack(key, count);
  expect(places.take(1, 100)).toBeUndefined();
}

/** Lets keys take places by turns until none gets another. */
function takeAll(places: SharedPlaces, keys: number): ReadonlyMap<number, number> {
  const taken = new Map<number, number>();
  for (let hasTaken = true; hasTaken; ) {
    hasTaken = false;
    for (let key = 1; key <= keys; key += 1) {
      if (places.take(key, 1) !== undefined) continue;
      taken.set(key, (taken.get(key) ?? 0) + 1);
      hasTaken = true;
    }
  }
  return taken;
}
