import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

/** A bucket that is filled millisecond by millisecond, in units of a 60,000th of a request. */
class NaiveBucket {
  #units = 0;
  #limit = 0;
  #nowMs = 0;

  take(limit: number, wanted: number, nowMs: number): number {
    const full = limit * 60_000;
    if (this.#limit === 0) this.#units = full;
    else {
      const missing = Math.min(this.#limit * 60_000 - this.#units, full);
      this.#units = full - missing;
    }
    for (; this.#nowMs < nowMs; this.#nowMs += 1) this.#units = Math.min(full, this.#units + limit);
    this.#nowMs = nowMs;
    this.#limit = limit;
    let granted = 0;
    for (; granted < wanted && this.#units >= 60_000; granted += 1) this.#units -= 60_000;
    return granted;
  }
}

const times = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
);
const clockJumps = fc.integer({ min: -70_000, max: -1 });
const limits = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(600, 7, 1_000_000));

describe("the count of a key's requests", () => {
  test("grants what a bucket grants that is filled millisecond by millisecond, also if the limit changes", () => {
    const step = fc.record({ passedMs: times, wanted: fc.integer({ min: 1, max: 5 }), limit: fc.option(limits) });
    fc.assert(
      fc.property(limits, fc.array(step, { minLength: 5, maxLength: 40 }), (firstLimit, steps) => {
        const clock = { nowMs: 0 };
        const limiter = new RateLimiter(() => clock.nowMs);
        const model = new NaiveBucket();
        let limit = firstLimit;
        for (const { passedMs, wanted, limit: changed } of steps) {
          limit = changed ?? limit;
          clock.nowMs += passedMs;
          expect(limiter.take(1, limit, wanted).granted).toBe(model.take(limit, wanted, clock.nowMs));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("never grants more in any span of time than the limit and what the span refills", () => {
    fc.assert(
      fc.property(limits, fc.array(times, { minLength: 10, maxLength: 100 }), (limit, waits) => {
        const clock = { nowMs: 0 };
        const limiter = new RateLimiter(() => clock.nowMs);
        const grants = waits.map((waitMs) => {
          clock.nowMs += waitMs;
          return { atMs: clock.nowMs, granted: limiter.take(1, limit, limit).granted };
        });
        for (const [index, first] of grants.entries()) {
          let sum = 0;
          for (const { atMs, granted } of grants.slice(index)) {
            sum += granted;
            expect(sum).toBeLessThanOrEqual(limit + ((atMs - first.atMs) * limit) / 60_000);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("says how many requests remain, and when one more is due: not a millisecond earlier", () => {
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

  test("a clock that jumps back grants nothing and holds nothing up", () => {
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

  test("counts what was given back as never taken", () => {
    const limiter = new RateLimiter(() => 0);
    limiter.take(1, 10, 10);
    limiter.giveBack(1, 4);
    expect(limiter.take(1, 10, 10).granted).toBe(4);
    limiter.giveBack(2, 4);
    limiter.giveBack(1, 100);
    expect(limiter.take(1, 10, 100).granted).toBe(10);
  });

  test("forgets keys that could send their whole limit as others come, and never remembers more keys than it may", () => {
    const clock = { nowMs: 0 };
    const limiter = new RateLimiter(() => clock.nowMs, { maxKeys: 100 });
    for (let keyId = 0; keyId < 1_000; keyId += 1) limiter.take(keyId, 600);
    expect(limiter.size).toBe(100);
    clock.nowMs += 60_000;
    for (let keyId = 1_000; keyId < 1_020; keyId += 1) limiter.take(keyId, 600);
    expect(limiter.size).toBe(20);
  });

  test("a flood of keys resets no count, and those past the ones it remembers share one", () => {
    const limiter = new RateLimiter<string>(() => 0, { maxKeys: 100 });
    limiter.take("attacker", 10, 10);
    for (let name = 0; name < 109; name += 1) expect(limiter.take(`flood ${name}`, 10).granted).toBe(1);
    expect(limiter.take("past the bound", 10).granted).toBe(0);
    expect(limiter.take("flood 1", 10).granted).toBe(1);
    expect(limiter.take("attacker", 10).granted).toBe(0);
  });

  test("of the keys that share a count, one with a low limit takes nothing from what others have counted", () => {
    const limiter = new RateLimiter<string>(() => 0, { maxKeys: 1 });
    limiter.take("remembered", 1_000);
    expect(limiter.take("high", 1_000, 1_000).granted).toBe(1_000);
    expect(limiter.take("low", 10).granted).toBe(0);
    expect(limiter.take("high", 1_000).granted).toBe(0);
    limiter.giveBack("high", 1);
    expect(limiter.take("high", 1_000, 2).granted).toBe(1);
  });

  test("while 20,000 new keys come each second, every key is counted alone, however long that goes on", () => {
    const clock = { nowMs: 0 };
    const limiter = new RateLimiter<string>(() => clock.nowMs);
    const remaining = new Set<number>();
    for (let name = 0; name < 200_000; name += 1) {
      clock.nowMs = Math.floor(name / 20);
      remaining.add(limiter.take(`flood ${name}`, 600).remaining);
    }
    expect([...remaining]).toEqual([599]);
    expect(limiter.size).toBeLessThan(10_000);
  });
});
