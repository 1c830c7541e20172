import { describe, expect, it } from "vitest";
import { RunningCalls } from "./running-calls.ts";

describe("the calls that a thread has", () => {
  it("leave places for accounts with few calls, however many another account has", () => {
    const { fill } = makeCalls();
    expect(fill(1)).toBe(128);
    expect(fill(2)).toBe(32);
    expect(fill(3)).toBe(32);
  });

  it("are at most 384, and a place is free again as soon as its call has ended", () => {
    const { calls, fill } = makeCalls();
    for (let accountId = 1; accountId <= 20; accountId += 1) fill(accountId);
    expect(calls.size).toBe(384);
    expect(calls.hasPlace(21)).toBe(false);
    expect(calls.remove(384)).toEqual({ id: 384, accountId: 9 });
    expect([calls.hasPlace(21), calls.hasSharedPlace]).toEqual([true, false]);
    calls.remove(1);
    expect([calls.hasPlace(1), calls.hasSharedPlace]).toEqual([true, true]);
  });
});

function makeCalls() {
  const calls = new RunningCalls<{ id: number; accountId: number }>();
  let lastId = 0;
  /** Adds calls of an account until it has no more place, and returns how many. */
  const fill = (accountId: number): number => {
    const before = lastId;
    while (calls.hasPlace(accountId)) {
      lastId += 1;
      calls.add({ id: lastId, accountId });
    }
    return lastId - before;
  };
  return { calls, fill };
}
