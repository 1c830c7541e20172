import fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

const times = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
);
const clockJumps = fc.integer({ min: -70_000, max: -1 });
const limits = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(600, 7, 1_000_000));

test("the count of a key's requests says how many requests remain, and when one more is due: not a millisecond earlier", () => {
  fc.assert(
    fc.property(limits, fc.array(times, { minLength: 1, maxLength: 20 }), (limit, waits) => {
      const clock = { nowMs: 0 };
      const limiter = new RateLimiter(() => clock.nowMs);
      for (const waitMs of waits) {
        clock.nowMs += waitMs;
        const { remaining, dueInMs } = limiter.take(1, limit);
        expect(limiter.take(1, limit, limit).granted).toBe(remaining);
        clock.nowMs += dueInMs - 1;
        expect(limiter.take(1, limit).granted).toBe(0);
        clock.nowMs += 1;
        expect(limiter.take(1, limit).granted).toBe(1);
      }
    }),
  );
});

test("the count of a key's requests a clock that jumps back grants nothing and holds nothing up", () => {
  fc.assert(
    fc.property(limits, clockJumps, (limit, jumpMs) => {
      const clock = { nowMs: 100_000 };
      const limiter = new RateLimiter(() => clock.nowMs);
      limiter.take(1, limit, limit);
      clock.nowMs += jumpMs;
      expect(limiter.take(1, limit).granted).toBe(0);
      clock.nowMs += Math.ceil(60_000 / limit);
      expect(limiter.take(1, limit).granted).toBe(1);
    }),
  );
});

test("the count of a key's requests counts what was sent before a limit was lowered as no more than that limit", () => {
  const clock = { nowMs: 0 };
  const limiter = new RateLimiter(() => clock.nowMs);
  limiter.take(1, 100, 100);
  expect(limiter.take(1, 10).granted).toBe(0);
  clock.nowMs += 6_000;
  expect(limiter.take(1, 10).granted).toBe(1);
});

test("the count of a key's requests counts what was given back as never taken", () => {
  const limiter = new RateLimiter(() => 0);
  limiter.take(1, 10, 10);
  limiter.giveBack(1, 4);
  expect(limiter.take(1, 10, 10).granted).toBe(4);
  limiter.giveBack(2, 4);
  expect(limiter.take(2, 10, 100).granted).toBe(10);
  limiter.giveBack(1, 100);
  expect(limiter.take(1, 10, 100).granted).toBe(10);
});

test("the count of a key's requests counts each of the 100,000 keys that came last alone, and forgets those before", () => {
  const limiter = new RateLimiter<string>(() => 0);
  const flood = (count: number, name: string) => {
    let granted = 0;
    for (let index = 0; index < count; index += 1) granted += limiter.take(`${name} ${index}`, 10).granted;
    expect(granted).toBe(count);
  };
  flood(30_000, "before");
  limiter.take("attacker", 10, 10);
  flood(99_999, "first");
  expect(limiter.take("attacker", 10).granted).toBe(0);
  flood(200_000, "second");
  expect(limiter.take("attacker", 10).granted).toBe(1);
});

test("the count of a key's requests forgets no key that sends each minute, while others come and go", () => {
  const clock = { nowMs: 0 };
  const limiter = new RateLimiter<string>(() => clock.nowMs);
  for (let second = 0; second < 200; second += 1) {
    clock.nowMs = second * 1_000;
    limiter.take(`other ${second}`, 600);
    // It sends 90 in 45 s, and its limit lets it send 45.
    if (second % 45 === 0) expect(limiter.take("client", 60, 90).granted).toBe(second === 0 ? 60 : 45);
  }
});
