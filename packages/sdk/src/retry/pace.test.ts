import { RateLimiter } from "@siteward/service";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Pace } from "./pace.ts";
import { maxPauseMs } from "./retry-rule.ts";

const anyLimit = fc.oneof(fc.constantFrom(1, 60, 600, 6_000), fc.integer({ min: 1, max: 100_000 }));
const limitOf = (limit: number, remaining = 0) => ({ limit, remaining, resetMs: 1_000 });

describe("after a refusal", () => {
  test("nothing is sent for the announced time, of which the longest counts", () => {
    const pace = new Pace();
    pace.pause(0, 5_000, limitOf(600));
    pace.pause(10, 1_000, limitOf(600));
    expect([pace.waitMs(10), pace.waitMs(4_999), pace.waitMs(5_000)]).toEqual([4_990, 1, 0]);
  });

  test("requests are sent as the bucket of the service refills", () => {
    const pace = new Pace();
    pace.pause(0, 1_000, limitOf(600));
    for (let sent = 0; sent < 10; sent += 1) pace.take(1_000);
    expect(pace.waitMs(1_000)).toBe(100);
    expect(pace.waitMs(1_060)).toBe(40);
    expect(pace.waitMs(1_100)).toBe(0);
  });

  test("one request is sent after the announced time, however slow the limit is", () => {
    const pace = new Pace();
    pace.pause(0, 1_000, limitOf(1));
    expect(pace.waitMs(1_000)).toBe(0);
    pace.take(1_000);
    expect(pace.waitMs(1_000)).toBe(60_000);
  });

  test("the pace is over when the bucket is full again", () => {
    const pace = new Pace();
    pace.pause(0, 1_000, limitOf(600));
    expect(pace.isOver(59_999)).toBe(false);
    expect(pace.isOver(60_000)).toBe(true);
  });
});

describe("a response", () => {
  test("says what is left, less what is on its way, also after the operator has raised the limit", () => {
    const pace = new Pace();
    pace.pause(0, 1_000, limitOf(60));
    pace.take(1_000);
    pace.note(1_010, { rateLimit: limitOf(6_000, 5_900), sentMs: 1_000, onTheirWay: 5_899 });
    expect(pace.waitMs(1_010)).toBe(0);
    pace.take(1_010);
    expect(pace.waitMs(1_010)).toBe(10);
  });

  test("to a request that was sent before the refusal says nothing", () => {
    const pace = new Pace();
    pace.pause(1_000, 1_000, limitOf(60));
    pace.note(1_010, { rateLimit: limitOf(60, 50), sentMs: 990, onTheirWay: 0 });
    pace.take(2_000);
    expect(pace.waitMs(2_000)).toBe(1_000);
  });
});

test("one client alone is refused once, and then sends as many requests as the service accepts, at any limit", () => {
  const property = fc.property(anyLimit, fc.integer({ min: 0, max: 60_000 }), (limit, idleMs) => {
    const service = new RateLimiter(() => nowMs);
    let nowMs = idleMs;
    service.take(1, limit, limit);
    const refusal = service.take(1, limit);
    const pace = new Pace();
    pace.pause(nowMs, Math.ceil(refusal.dueInMs / 1_000) * 1_000, limitOf(limit));
    const startMs = nowMs;
    let sent = 0;
    for (; sent < 300; sent += 1) {
      for (let waitMs = pace.waitMs(nowMs); waitMs > 0; waitMs = pace.waitMs(nowMs)) nowMs += waitMs;
      pace.take(nowMs);
      const grant = service.take(1, limit);
      expect(grant.granted).toBe(1);
      pace.note(nowMs, { rateLimit: limitOf(limit, grant.remaining), sentMs: nowMs, onTheirWay: 0 });
    }
    // It never falls behind by more than a request, and what the announced time was longer than needed.
    const refilledMs = (sent * 60_000) / limit;
    expect(nowMs - startMs).toBeLessThan(Math.max(1_000, refilledMs) + 60_000 / limit + sent);
  });
  fc.assert(property, { numRuns: 200 });
});

test("whatever the service says, and however the clock jumps, it always says when to ask again: within the longest pause", () => {
  const anyNumber = fc.oneof(fc.nat(), fc.constantFrom(0, 1e308, Number.POSITIVE_INFINITY));
  const anyRateLimit = fc.record({ limit: anyNumber, remaining: anyNumber, resetMs: anyNumber });
  const anyTime = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const step = fc.record({
    nowMs: anyTime,
    pauseMs: fc.integer({ min: 0, max: maxPauseMs }),
    rateLimit: anyRateLimit,
    what: fc.constantFrom("pause", "note", "take"),
  });
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
    const pace = new Pace();
    let lastMs = 0;
    for (const { nowMs, pauseMs, rateLimit, what } of steps) {
      if (what === "pause") pace.pause(nowMs, pauseMs, rateLimit);
      if (what === "take" && pace.waitMs(nowMs) === 0) pace.take(nowMs);
      if (what === "note") pace.note(nowMs, { rateLimit, sentMs: nowMs, onTheirWay: 3 });
      lastMs = nowMs;
      const waitMs = pace.waitMs(nowMs);
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(maxPauseMs);
    }
    // A client that waits as it is told, with a clock that goes on from there, may send in the end.
    let turns = 0;
    for (let waitMs = pace.waitMs(lastMs); waitMs > 0; waitMs = pace.waitMs(lastMs)) {
      lastMs += waitMs;
      turns += 1;
      expect(turns).toBeLessThan(100);
    }
  });
  fc.assert(property, { numRuns: 500 });
});
