import type { Grant } from "@siteward/service";
import { RateLimiter } from "@siteward/service";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerLeases } from "./lease-desk.ts";
import type { LeaseRequest } from "./lease-messages.ts";
import { LeasedRateLimits } from "./leased-rate-limits.ts";

/** Workers and a first process whose messages arrive when the test says so. */
class Machine {
  nowMs = 0;
  readonly limiter = new RateLimiter(() => this.nowMs);
  readonly sent: LeaseRequest[] = [];
  readonly workers: LeasedRateLimits[];
  readonly #underway: (() => void)[] = [];

  constructor(workers: number, patienceMs?: number) {
    this.workers = Array.from({ length: workers }, () => {
      const worker: LeasedRateLimits = new LeasedRateLimits({
        now: () => this.nowMs,
        ...(patienceMs !== undefined && { patienceMs }),
        send: (request) => {
          this.sent.push(request);
          this.#underway.push(() => worker.receive(answerLeases(this.limiter, workers, request)));
        },
      });
      return worker;
    });
  }

  take(worker: number, keyId: number, limit: number): Promise<Grant> {
    return Promise.resolve(this.workers[worker % this.workers.length]?.take(keyId, limit) ?? fail());
  }

  deliver(): void {
    this.#underway.shift()?.();
  }

  deliverAll(): void {
    while (this.#underway.length > 0) this.deliver();
  }
}

interface Step {
  readonly worker: number;
  readonly key: number;
  readonly ms: number;
}

describe("the tokens that workers lease", () => {
  test("workers together grant what one process would, whatever the order of messages", async () => {
    const kinds = [
      "take",
      "take",
      "take",
      "take",
      "take",
      "take",
      "deliver",
      "deliver",
      "deliver",
      "return",
      "wait",
    ] as const;
    const step = fc.record({
      kind: fc.constantFrom(...kinds),
      worker: fc.nat({ max: 100 }),
      key: fc.nat({ max: 2 }),
      ms: fc.nat({ max: 3_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(step, { minLength: 50, maxLength: 300 }),
        async (workers, limit, steps) => {
          const machine = new Machine(workers);
          const grants: Promise<[key: number, grant: Grant]>[] = [];
          const act = {
            take: ({ worker, key }: Step) =>
              grants.push(machine.take(worker, key, limit).then((grant) => [key, grant])),
            deliver: () => machine.deliver(),
            return: ({ worker }: Step) => machine.workers[worker % workers]?.returnUnused(),
            wait: ({ ms }: Step) => {
              machine.nowMs += ms;
            },
          };
          for (const taken of steps) act[taken.kind](taken);
          machine.deliverAll();
          const settled = await Promise.all(grants);
          for (const worker of machine.workers) worker.close();
          machine.deliverAll();
          for (const key of [0, 1, 2]) {
            const granted = settled.filter(([of, { granted }]) => of === key && granted === 1).length;
            const refill = (machine.nowMs * limit) / 60_000;
            expect(granted).toBeLessThanOrEqual(limit + refill);
            // What was granted is what is missing, except for what time has refilled.
            const left = machine.limiter.take(key, limit, limit).granted;
            expect(left + granted).toBeGreaterThanOrEqual(limit);
            expect(left + granted).toBeLessThanOrEqual(limit + refill);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test("a worker keeps nothing that it does not use", async () => {
    const machine = new Machine(4);
    for (let count = 0; count < 40; count += 1) {
      const taken = machine.take(0, 1, 600);
      machine.deliverAll();
      await taken;
    }
    machine.workers[0]?.returnUnused();
    machine.workers[0]?.returnUnused();
    machine.deliverAll();
    expect(machine.limiter.take(1, 600, 600).granted).toBe(560);
  });

  test("one request costs one message, and requests at the same time share it", async () => {
    const machine = new Machine(1);
    const first = machine.take(0, 1, 600);
    const more = Array.from({ length: 50 }, () => machine.take(0, 1, 600));
    const others = Array.from({ length: 50 }, (_, key) => machine.take(0, key + 2, 600));
    machine.deliverAll();
    await Promise.all([first, ...more, ...others]);
    expect(machine.sent).toHaveLength(2);
  });

  test("past the limit a flood costs no messages until the next token is due, and then it is granted", async () => {
    const machine = new Machine(1);
    const all = Array.from({ length: 11 }, () => machine.take(0, 1, 10));
    machine.deliverAll();
    await Promise.all(all);
    const before = machine.sent.length;
    for (let count = 0; count < 100; count += 1) {
      expect(await machine.take(0, 1, 10)).toEqual({ granted: 0, remaining: 0, dueInMs: 6_000 });
    }
    expect(machine.sent).toHaveLength(before);
    machine.nowMs += 6_000;
    const due = machine.take(0, 1, 10);
    machine.deliverAll();
    expect(await due).toMatchObject({ granted: 1 });
  });

  test("a changed limit holds for the next request, and what was counted stays counted", async () => {
    const machine = new Machine(1);
    const all = Array.from({ length: 10 }, () => machine.take(0, 1, 10));
    machine.deliverAll();
    await Promise.all(all);
    const raised = machine.take(0, 1, 15);
    machine.deliverAll();
    expect(await raised).toMatchObject({ granted: 1, remaining: 4 });
    const lowered = machine.take(0, 1, 5);
    machine.deliverAll();
    expect(await lowered).toMatchObject({ granted: 0 });
  });

  test("if the first process does not answer, each worker grants the limit at most once, and less after the answer", async () => {
    const machine = new Machine(2, 1);
    const grants = await Promise.all(Array.from({ length: 100 }, (_, index) => machine.take(index, 1, 20)));
    expect(grants.filter(({ granted }) => granted === 1)).toHaveLength(40);
    const more = await Promise.all(Array.from({ length: 100 }, (_, index) => machine.take(index, 1, 20)));
    expect(more.filter(({ granted }) => granted === 1)).toHaveLength(0);
    // One message of each worker waits, however many requests come.
    expect(machine.sent).toHaveLength(2);
    machine.deliverAll();
    machine.nowMs += 3_000;
    const later = machine.take(0, 1, 20);
    machine.deliverAll();
    expect(await later).toMatchObject({ granted: 1 });
  });

  test("a worker that stops gives back what it holds, and a worker that dies costs only time", async () => {
    const machine = new Machine(2);
    for (const worker of [0, 1]) {
      for (let count = 0; count < 10; count += 1) {
        const taken = machine.take(worker, 1, 600);
        machine.deliverAll();
        await taken;
      }
    }
    machine.workers[0]?.close();
    machine.deliverAll();
    machine.nowMs += 60_000;
    expect(machine.limiter.take(1, 600, 600).granted).toBe(600);
  });
});

function fail(): never {
  throw new Error("There is no such worker.");
}
