import { type Grant, RateLimiter } from "@siteward/service";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LeasedRateLimits, type LeaseRequest } from "./leased-rate-limits.ts";

/** Workers and a first process whose messages arrive when the test says so. */
class Machine {
  nowMs = 0;
  sent = 0;
  readonly #limiter = new RateLimiter(() => this.nowMs);
  readonly workers: LeasedRateLimits[];
  readonly #underway: [LeasedRateLimits, LeaseRequest][] = [];

  constructor(workers: number) {
    this.workers = Array.from({ length: workers }, () => {
      const worker: LeasedRateLimits = new LeasedRateLimits({
        now: () => this.nowMs,
        workers,
        send: (request) => {
          this.sent += 1;
          this.#underway.push([worker, request]);
        },
      });
      return worker;
    });
  }

  take(worker: number, limit: number): Grant | Promise<Grant> {
    return this.workers[worker % this.workers.length]?.take(1, limit) ?? fail();
  }

  /** Counts a request and delivers all messages. Returns whether it passed. */
  async passes(worker: number, limit: number): Promise<boolean> {
    const taken = this.take(worker, limit);
    this.deliver();
    return (await taken).granted === 1;
  }

  deliver(): void {
    for (const [worker, request] of this.#underway.splice(0)) {
      const { keyId, limit, count } = request;
      worker.receive({ keyId, ...this.#limiter.take(keyId, limit, count) });
    }
  }
}

const cases = [600, 6_000].flatMap((limit) => [1, 4, 16].map((workers) => [limit, workers] as const));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the tokens that workers lease", () => {
  test.for(cases)(
    "pass what one process would, but for a hundredth, with a limit of %i in a flood over %i workers",
    async ([limit, workers]) => {
      const machine = new Machine(workers);
      let passed = 0;
      const seconds = 6;
      for (; machine.nowMs < seconds * 1_000; machine.nowMs += 1) {
        for (let count = 0; count < 16; count += 1) passed += Number(await machine.passes(count, limit));
      }
      const exact = limit + (limit * seconds) / 60;
      expect(passed).toBeGreaterThanOrEqual(0.99 * exact);
      expect(passed).toBeLessThanOrEqual(exact);
    },
  );

  test.for(cases)(
    "refuse no request of steady traffic just below a limit of %i over %i workers",
    async ([limit, workers]) => {
      const machine = new Machine(workers);
      // Half of it was sent at once before.
      for (let count = 0; count < limit / 2; count += 1) await machine.passes(count, limit);
      for (let count = 0; machine.nowMs < 120_000; count += 1) {
        machine.nowMs += 60_000 / (0.95 * limit);
        // The workers get them in an order that does not repeat soon.
        expect(await machine.passes((count * 7_919) % 1_009, limit)).toBe(true);
      }
    },
  );

  test("past the limit a flood costs no messages until the next token is due, and then it is granted", async () => {
    const machine = new Machine(1);
    for (let count = 0; count < 11; count += 1) await machine.passes(0, 10);
    const before = machine.sent;
    for (let count = 0; count < 100; count += 1) {
      expect(machine.take(0, 10)).toEqual({ granted: 0, remaining: 0, dueInMs: 6_000 });
    }
    expect(machine.sent).toBe(before);
    machine.nowMs += 6_000;
    expect(await machine.passes(0, 10)).toBe(true);
  });

  test("a changed limit holds for the next request, and what was counted stays counted", async () => {
    const machine = new Machine(1);
    for (let count = 0; count < 10; count += 1) await machine.passes(0, 10);
    const raised = machine.take(0, 15);
    machine.deliver();
    expect(await raised).toMatchObject({ granted: 1, remaining: 4 });
    expect(await machine.passes(0, 5)).toBe(false);
  });

  test("if the first process does not answer, requests pass after a second, and are counted again after its answer", async () => {
    const machine = new Machine(1);
    for (const seconds of [1, 2]) {
      const waiting = Array.from({ length: 30 }, () => machine.take(0, 10));
      vi.advanceTimersByTime(1_000);
      expect((await Promise.all(waiting)).map(({ granted }) => granted)).toEqual(waiting.map(() => 1));
      // However many requests come, one message is sent in a second.
      expect(machine.sent).toBe(seconds);
    }
    machine.deliver();
    for (let count = 0; count < 10; count += 1) await machine.passes(0, 10);
    expect(await machine.passes(0, 10)).toBe(false);
  });
});

function fail(): never {
  throw new Error("There is no such worker.");
}
