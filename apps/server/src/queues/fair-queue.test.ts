import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairQueue, type FairQueueLimits } from "./fair-queue.ts";

interface Item {
  readonly key: number;
  readonly name: number;
}

type Step = readonly ["enter" | "leave" | "next", pick: number];

const steps = fc.array(fc.tuple(fc.constantFrom("enter", "enter", "enter", "leave", "next"), fc.nat()), {
  minLength: 40,
  maxLength: 80,
});
const bounds = fc.record({
  maxWaiting: fc.integer({ min: 1, max: 8 }),
  maxWaitingPerKey: fc.integer({ min: 1, max: 5 }),
});

/** A queue next to a plain list of the items that should be in it. */
class ModelledQueue {
  readonly queue: FairQueue<Item>;
  readonly bounds: FairQueueLimits;
  readonly waiting: Item[] = [];
  readonly out: Item[] = [];
  readonly served: Array<{ readonly item: Item; readonly before: readonly Item[] }> = [];
  entered = 0;

  constructor(chosen: FairQueueLimits) {
    this.bounds = chosen;
    this.queue = new FairQueue(chosen);
  }

  take([kind, pick]: Step): void {
    if (kind === "enter") this.enter({ key: pick % 4, name: this.entered });
    else if (kind === "leave") this.leave(this.waiting[pick % Math.max(1, this.waiting.length)]);
    else this.next();
    expect(this.queue.size).toBe(this.waiting.length);
    expect(this.waiting.length).toBeLessThanOrEqual(this.bounds.maxWaiting);
    expect(this.longest).toBeLessThanOrEqual(this.bounds.maxWaitingPerKey);
  }

  enter(item: Item): void {
    const isKeyFull = this.countOf(item.key) === this.bounds.maxWaitingPerKey;
    const isShareUsed = this.waiting.length === this.bounds.maxWaiting && this.longest <= this.countOf(item.key) + 1;
    const displaced = this.queue.enter(item.key, item);
    this.entered += 1;
    this.waiting.push(item);
    expect(displaced === item).toBe(isKeyFull || isShareUsed);
    if (displaced !== undefined) this.remove(displaced);
  }

  leave(item: Item | undefined): void {
    if (item === undefined) return;
    expect([this.queue.leave(item.key, item), this.queue.leave(item.key, item)]).toEqual([true, false]);
    this.remove(item);
  }

  next(): void {
    const before = [...this.waiting];
    const item = this.queue.next();
    expect(item === undefined).toBe(before.length === 0);
    if (item === undefined) return;
    this.served.push({ item, before });
    this.remove(item);
  }

  remove(item: Item): void {
    expect(this.waiting).toContain(item);
    this.out.push(...this.waiting.splice(this.waiting.indexOf(item), 1));
  }

  countOf(key: number): number {
    return this.waiting.filter((item) => item.key === key).length;
  }

  get longest(): number {
    return Math.max(0, ...this.waiting.map(({ key }) => this.countOf(key)));
  }
}

function play(chosen: FairQueueLimits, played: readonly Step[]): ModelledQueue {
  const model = new ModelledQueue(chosen);
  for (const step of played) model.take(step);
  return model;
}

describe("a fair queue", () => {
  test("keeps its limits, refuses only a key that has its share, and loses and repeats no item", () => {
    fc.assert(
      fc.property(bounds, steps, (chosen, played) => {
        const model = play(chosen, played);
        while (model.waiting.length > 0) model.next();
        expect(model.queue.next()).toBeUndefined();
        expect(model.out.length).toBe(model.entered);
        expect(new Set(model.out).size).toBe(model.entered);
      }),
      { numRuns: 300 },
    );
  });

  test("serves no key twice while another key waits", () => {
    fc.assert(
      fc.property(bounds, steps, (chosen, played) => {
        const { served } = play(chosen, played);
        for (const [index, { item, before }] of served.entries()) {
          const turnsWaited = served.slice(0, index).filter((turn) => turn.before.includes(item));
          const keysServed = turnsWaited.map((turn) => turn.item.key).filter((key) => key !== item.key);
          // Older items of the same key come first, and the key has one turn in each round.
          const ownTurns = turnsWaited.length - keysServed.length;
          for (const key of keysServed) {
            expect(keysServed.filter((other) => other === key).length).toBeLessThanOrEqual(ownTurns + 1);
          }
          expect(before).toContain(item);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("serves the items of one key in the order they came", () => {
    const queue = new FairQueue<string>({ maxWaiting: 10, maxWaitingPerKey: 10 });
    for (const name of ["a1", "a2", "a3"]) queue.enter(1, name);
    queue.enter(2, "b1");
    expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("makes room for another key if one key has filled the queue, at the cost of its newest item", () => {
    const queue = new FairQueue<string>({ maxWaiting: 3, maxWaitingPerKey: 3 });
    for (const name of ["a1", "a2", "a3"]) expect(queue.enter(1, name)).toBeUndefined();
    expect(queue.enter(1, "a4")).toBe("a4");
    expect(queue.enter(2, "b1")).toBe("a3");
    expect(queue.enter(2, "b2")).toBe("b2");
    expect(queue.enter(3, "c1")).toBe("a2");
    expect(queue.enter(4, "d1")).toBe("d1");
  });
});

test("a key gives the items that are like its oldest one together, and keeps the others in their order", () => {
  const queue = new FairQueue<Item>({ maxWaiting: 10, maxWaitingPerKey: 10 });
  for (const name of [1, 2, 3, 4, 5, 7]) queue.enter(1, { key: 1, name });
  const isAlike = (item: Item, oldest: Item) => item.name % 2 === oldest.name % 2;
  const take = () => queue.take(1, isAlike, 3).map(({ name }) => name);
  expect([take(), queue.size, take(), take(), take(), queue.size]).toEqual([[1, 3, 5], 3, [2, 4], [7], [], 0]);
});
