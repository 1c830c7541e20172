import { expect, test } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

test("a worker that misses five beats in a row has been silent for too long", () => {
  const heartbeat = new Heartbeat();
  heartbeat.beat();
  expect(look(heartbeat, 6)).toEqual([false, false, false, false, false, true]);
});

test("a worker that sometimes beats late has not been silent for too long", () => {
  const heartbeat = new Heartbeat();
  for (let round = 0; round < 10; round += 1) {
    heartbeat.beat();
    expect(look(heartbeat, 5)).not.toContain(true);
  }
});

test("a worker without a first beat is still starting", () => {
  expect(look(new Heartbeat(), 100)).not.toContain(true);
});

function look(heartbeat: Heartbeat, times: number): boolean[] {
  return Array.from({ length: times }, () => heartbeat.look());
}
