import { expect, test } from "vitest";
import { readSoon } from "./read-soon.ts";

test("a value is read at most once in its time, however often metrics are read", async () => {
  let nowMs = 0;
  let count = 0;
  const read = readSoon(
    async () => {
      count += 1;
      return count;
    },
    60_000,
    () => nowMs,
  );
  const results = await Promise.all([read(), read(), read()]);
  nowMs = 59_999;
  results.push(await read());
  nowMs = 60_000;
  results.push(await read());
  expect(results).toEqual([1, 1, 1, 1, 2]);
});

test("a database or a disk that hangs or fails keeps no other metric back, and is asked once at a time", async () => {
  let asked = 0;
  const answers = [Promise.resolve("known"), Promise.reject(new Error("down")), new Promise<never>(() => {})];
  const read = readSoon(() => {
    asked += 1;
    return answers.shift() ?? Promise.reject();
  }, 0);
  expect([await read(), await read(), await read(), await read()]).toEqual(Array.from({ length: 4 }, () => "known"));
  expect(asked).toBe(3);
  expect(await readSoon(() => new Promise<never>(() => {}), 0)()).toBeUndefined();
});
