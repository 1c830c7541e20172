import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RequestTurns } from "./request-turns.ts";

/** Starts requests that each take a time, and returns which started in each turn. The time is the test's own. */
async function startAll(count: number, tookMs: number): Promise<number[][]> {
  let nowMs = 0;
  const turns = new RequestTurns(() => nowMs);
  const startedInTurn: number[][] = [[]];
  let started = 0;
  for (let request = 0; request < count; request += 1) {
    turns.start(1, () => {
      started += 1;
      nowMs += tookMs;
      startedInTurn.at(-1)?.push(request);
    });
  }
  while (started < count) {
    startedInTurn.push([]);
    await nextTurn();
  }
  return startedInTurn;
}

describe("the requests of one turn of the event loop", () => {
  test("start at once while the turn has time", async () => {
    expect(await startAll(1000, 0)).toHaveLength(1);
  });

  test("start until 10 ms have passed, and the others in later turns", async () => {
    const startedInTurn = await startAll(30, 4);
    expect(Math.max(...startedInTurn.map((requests) => requests.length))).toBe(3);
    expect(startedInTurn.length).toBeGreaterThanOrEqual(10);
  });

  test("start in the order they came", async () => {
    expect((await startAll(30, 4)).flat()).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  test("are one if that one takes longer", async () => {
    const counts = (await startAll(5, 50)).map((requests) => requests.length);
    expect(counts.filter((count) => count > 0)).toEqual([1, 1, 1, 1, 1]);
  });

  test("a request does not overtake those that wait", async () => {
    let nowMs = 0;
    const turns = new RequestTurns(() => nowMs);
    const started: string[] = [];
    turns.start(1, () => {
      nowMs = 60;
    });
    turns.start(1, () => started.push("waiting"));
    await nextTurn();
    turns.start(1, () => started.push("new"));
    while (started.length < 2) await nextTurn();
    expect(started).toEqual(["waiting", "new"]);
  });

  test("of an API key with one request wait for one of each other key", async () => {
    let nowMs = 0;
    const turns = new RequestTurns(() => nowMs);
    const started: number[] = [];
    for (const keyId of [1, 1, 1, 1, 1, 2, 3]) {
      turns.start(keyId, () => {
        started.push(keyId);
        nowMs += 20;
      });
    }
    while (started.length < 7) await nextTurn();
    expect(started).toEqual([1, 1, 2, 3, 1, 1, 1]);
  });
});
