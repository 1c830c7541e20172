import { expect, test } from "vitest";
import { readTotals } from "./read-totals.ts";

test("accounts are counted at most once a minute, however often metrics are read", async () => {
  let nowMs = 0;
  let count = 0;
  const totals = async () => {
    count += 1;
    return { accounts: count, websites: 0 };
  };
  const read = readTotals({ totals }, () => nowMs);
  const results = await Promise.all([read(), read(), read()]);
  nowMs = 59_999;
  results.push(await read());
  nowMs = 60_000;
  results.push(await read());
  expect(results.map((result) => result?.accounts)).toEqual([1, 1, 1, 1, 2]);
});

test("a database that hangs or fails keeps no other metric back", async () => {
  let nowMs = 0;
  const answers = [
    Promise.resolve({ accounts: 3, websites: 4 }),
    Promise.reject(new Error("down")),
    new Promise<never>(() => {}),
  ];
  const read = readTotals({ totals: () => answers.shift() ?? Promise.reject() }, () => nowMs);
  const results = [];
  for (; nowMs < 240_000; nowMs += 60_000) results.push(await read());
  expect(results).toEqual(Array.from({ length: 4 }, () => ({ accounts: 3, websites: 4 })));
  expect(await readTotals({ totals: () => new Promise<never>(() => {}) })()).toBeUndefined();
});
