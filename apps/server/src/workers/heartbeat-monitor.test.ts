import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeWorker } from "../../test/support/fake-worker.ts";
import { beatIntervalMs, HeartbeatMonitor } from "./heartbeat-monitor.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a worker that misses five beats in a row has been silent for too long", () => {
  const { worker, silent } = watchWorker();
  worker.beat();
  pass(5);
  expect(silent).toEqual([]);
  pass(1);
  expect(silent).toEqual([worker]);
  // It is killed by now. What it sent before is no sign of life.
  worker.beat();
  pass(100);
  expect(silent).toEqual([worker]);
});

test("a worker that sometimes beats late has not been silent for too long", () => {
  const { worker, silent } = watchWorker();
  for (let round = 0; round < 10; round += 1) {
    worker.beat();
    pass(5);
  }
  expect(silent).toEqual([]);
});

test("a worker without a first beat is still starting", () => {
  const { silent } = watchWorker();
  pass(100);
  expect(silent).toEqual([]);
});

function watchWorker() {
  const silent: unknown[] = [];
  const monitor = new HeartbeatMonitor({ onSilent: (worker) => silent.push(worker) });
  const worker = new FakeWorker(1);
  monitor.add(worker);
  return { worker, silent };
}

function pass(intervals: number): void {
  vi.advanceTimersByTime(intervals * beatIntervalMs);
}
