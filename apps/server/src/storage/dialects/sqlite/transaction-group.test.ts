import { describe, expect, it } from "vitest";
import { TransactionGroup } from "./transaction-group.ts";

const limits = { maxSize: 128, maxMs: Number.POSITIVE_INFINITY };

describe("a group of transactions", () => {
  it("contains up to 128 of one account", () => {
    const group = new TransactionGroup(limits, 0);
    expect(addUntilComplete(group, [1])).toBe(128);
  });

  it("ends once one account has a quarter of it, if others wait for its end", () => {
    const group = new TransactionGroup(limits, 0);
    group.add(2, []);
    expect(addUntilComplete(group, [1])).toBe(32);
  });

  it("contains up to 128 of several accounts that have less than a quarter each", () => {
    const group = new TransactionGroup(limits, 0);
    expect(addUntilComplete(group, [1, 2, 3, 4, 5])).toBe(128);
  });

  it("contains more than a quarter of one account as long as the disk took for the group before", () => {
    const group = new TransactionGroup(limits, Number.POSITIVE_INFINITY);
    group.add(2, []);
    expect(addUntilComplete(group, [1])).toBe(127);
  });
});

/** Adds transactions of the accounts in turn until the group accepts no more, and returns how many. */
function addUntilComplete(group: TransactionGroup, accountIds: readonly number[]): number {
  let count = 0;
  while (!group.isComplete()) {
    group.add(accountIds[count % accountIds.length] ?? 0, []);
    count += 1;
  }
  return count;
}
