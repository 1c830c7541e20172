import { hash } from "node:crypto";
import { RateLimiter } from "@siteward/service";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FailureSketch } from "./failure-sketch.ts";

describe("the count of failures", () => {
  test("never allows a name more than an exact count does, and allows as much while few names fail", () => {
    const step = fc.record({ name: fc.nat({ max: 20 }), passedMs: fc.nat({ max: 3_000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const clock = { nowMs: 0 };
        const sketch = createSketch(limit, clock);
        const exact = new RateLimiter(() => clock.nowMs);
        for (const { name, passedMs } of steps) {
          clock.nowMs += passedMs;
          expect(sketch.take(String(name)) === undefined).toBe(exact.take(name, limit).granted === 1);
        }
      }),
    );
  });

  test("says when the next failure is allowed: not a millisecond earlier", () => {
    const clock = { nowMs: 0 };
    const sketch = createSketch(7, clock);
    for (let count = 0; count < 7; count += 1) expect(sketch.take("a")).toBeUndefined();
    const waitMs = sketch.take("a") ?? 0;
    expect(waitMs).toBe(Math.ceil(60_000 / 7));
    clock.nowMs += waitMs - 1;
    expect(sketch.take("a")).toBe(1);
    clock.nowMs += 1;
    expect(sketch.take("a")).toBeUndefined();
  });

  test("what was given back does not count", () => {
    const sketch = createSketch(2, { nowMs: 0 });
    for (let count = 0; count < 10; count += 1) {
      expect(sketch.take("a")).toBeUndefined();
      sketch.giveBack("a");
    }
  });

  test("after a flood of 100,000 names, another name is still allowed 500 of its 600 failures", () => {
    const sketch = createSketch(600, { nowMs: 0 });
    for (let name = 0; name < 100_000; name += 1) sketch.take(`flood ${name}`);
    for (let count = 0; count < 500; count += 1) expect(sketch.take("another")).toBeUndefined();
  });

  test("a clock that jumps back holds nothing up", () => {
    const clock = { nowMs: 100_000 };
    const sketch = createSketch(1, clock);
    expect(sketch.take("a")).toBeUndefined();
    clock.nowMs = 0;
    expect(sketch.take("a")).toBe(60_000);
    clock.nowMs = 60_000;
    expect(sketch.take("a")).toBeUndefined();
  });
});

function createSketch(limit: number, clock: { nowMs: number }): FailureSketch {
  return new FailureSketch({ limit, now: () => clock.nowMs, hash: (name) => hash("sha256", name, "buffer") });
}
