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
        const done: number[] = [];
        const indexes = turns.map((_turn, index) => index);
        await runTasks(indexes, { parallel }, async (index) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn <= (turns[index] ?? 0); turn += 1) await Promise.resolve();
          running -= 1;
          done.push(index);
        });
        expect(most).toBe(Math.min(parallel, turns.length));
        expect(done.toSorted((a, b) => a - b)).toEqual(indexes);
      }),
    );
  });

  test("starts nothing after a stop, and waits for what is in flight", async () => {
    const finished: number[] = [];
    await runTasks(items, { parallel: 3 }, async (item) => {
      if (item > 1) await new Promise(setImmediate);
      finished.push(item);
      return item === 1 ? "stop" : undefined;
    });
    expect(finished).toEqual([1, 2, 3]);
  });

  test("throws what a task threw, after those in flight have finished", async () => {
    const finished: number[] = [];
    const tasks = runTasks(items, { parallel: 3 }, async (item) => {
      if (item === 2) throw new Error("the second failed");
      await new Promise(setImmediate);
      finished.push(item);
    });
    await expect(tasks).rejects.toThrow("the second failed");
    expect(finished).toEqual([1, 3]);
  });
});
