import { expect, test } from "vitest";
import { FakeWorker } from "../../test/support/fake-worker.ts";
import type { Snapshot } from "../metrics/series.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

const measured: Snapshot = [["siteward_storage_write_groups_total", [], [7]]];

function startWorker(metrics: WorkerMetrics): FakeWorker {
  const worker = new FakeWorker(1);
  worker.measured = measured;
  metrics.watch(worker);
  worker.listen();
  return worker;
}

test("a worker that does not answer in time is late, with what it reported last", async () => {
  const metrics = new WorkerMetrics(() => undefined, 20);
  const [worker] = [startWorker(metrics), startWorker(metrics)];
  await worker.listening;
  expect(await metrics.collect()).toEqual({ snapshots: [measured, measured], late: [] });
  worker.hang();
  expect(await metrics.collect()).toEqual({ snapshots: [measured], late: [measured] });
});

test("a worker that has ended is no longer asked, and its last report is kept once", async () => {
  const kept: Snapshot[] = [];
  const metrics = new WorkerMetrics((last) => void kept.push(last), 20);
  const worker = startWorker(metrics);
  await worker.listening;
  await metrics.collect();
  worker.kill("SIGKILL");
  await worker.ended;
  expect(await metrics.collect()).toEqual({ snapshots: [], late: [] });
  expect(kept).toEqual([measured]);
});

test("a worker that ends while it is asked counts with its last report, and is not late", async () => {
  const kept: Snapshot[] = [];
  const metrics = new WorkerMetrics((last) => void kept.push(last), 60_000);
  const worker = startWorker(metrics);
  await worker.listening;
  await metrics.collect();
  worker.hang();
  const collecting = metrics.collect();
  worker.kill("SIGKILL");
  expect(await collecting).toEqual({ snapshots: [measured], late: [] });
  expect(kept).toEqual([measured]);
});

test("a worker that has not started to serve is not asked", async () => {
  const metrics = new WorkerMetrics(() => undefined, 20);
  metrics.watch(new FakeWorker(1));
  expect(await metrics.collect()).toEqual({ snapshots: [[]], late: [] });
});
