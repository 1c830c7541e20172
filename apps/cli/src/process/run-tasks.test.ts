import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runTasks } from "./run-tasks.ts";

const items = [1, 2, 3, 4, 5, 6, 7, 8];

describe("runTasks", () => {
  test("runs each item once, and never more at the same time than asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3)), fc.integer({ min: 1, max: 6 }), async (turns, parallel) => {
        let running = 0;
        let most = 0;
        const results: [number, number][] = [];
        const indexes = turns.map((_turn, index) => index);
        const { notStarted } = await runTasks(
          indexes,
          { parallel },
          async (index) => {
            running += 1;
            most = Math.max(most, running);
            for (let turn = 0; turn <= (turns[index] ?? 0); turn += 1) await Promise.resolve();
            running -= 1;
            return index * 2;
          },
          (index, result) => void results.push([index, result]),
        );
        expect(notStarted).toEqual([]);
        expect(most).toBe(Math.min(parallel, turns.length));
        expect(results.toSorted(([a], [b]) => a - b)).toEqual(indexes.map((index) => [index, index * 2]));
      }),
    );
  });

  test("starts nothing after a stop, waits for what is in flight, and returns the rest in order", async () => {
    const finished: number[] = [];
    const run = async (item: number): Promise<number> => {
      if (item > 1) await new Promise(setImmediate);
      return item;
    };
    const { notStarted } = await runTasks(items, { parallel: 3 }, run, (item) => {
      finished.push(item);
      return item === 1 ? "stop" : undefined;
    });
    expect(finished).toEqual([1, 2, 3]);
    expect(notStarted).toEqual([4, 5, 6, 7, 8]);
  });

  test("throws what a task threw, after those in flight have finished", async () => {
    const finished: number[] = [];
    const run = async (item: number): Promise<void> => {
      if (item === 2) throw new Error("the second failed");
      await new Promise(setImmediate);
    };
    const tasks = runTasks(items, { parallel: 3 }, run, (item) => void finished.push(item));
    await expect(tasks).rejects.toThrow("the second failed");
    expect(finished).toEqual([1, 3]);
  });
});
