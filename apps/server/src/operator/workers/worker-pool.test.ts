import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Cluster, WorkerEnd, WorkerProcess } from "./cluster.ts";
import { WorkerPool } from "./worker-pool.ts";

test("a pool has all its workers again where one dies while another is replaced", async () => {
  const workers: FakeWorker[] = [];
  const cluster: Cluster = {
    self: undefined,
    fork: () => {
      const worker = new FakeWorker(workers.length + 1);
      workers.push(worker);
      return worker;
    },
  };
  const pool = new WorkerPool(cluster, { size: 3, logger: pino({ level: "silent" }) });
  const opening = pool.open();
  workers[0]?.listen();
  await opening;
  for (const worker of workers) worker.listen();
  await setImmediate();

  const restarting = pool.restart();
  await setImmediate();
  expect(workers).toHaveLength(4);
  workers[2]?.kill();
  await setImmediate();
  for (let turn = 0; turn < 10; turn += 1) {
    for (const worker of workers) worker.listen();
    await setImmediate();
  }
  await restarting;
  expect(workers.filter(({ isRunning }) => isRunning)).toHaveLength(3);
  await pool.close();
  expect(workers.filter(({ isRunning }) => isRunning)).toEqual([]);
});

/** A process that does at once what it is asked to. */
class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly #listening = Promise.withResolvers<number | undefined>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  readonly listening = this.#listening.promise;
  readonly ended = this.#ended.promise;
  isRunning = true;

  constructor(pid: number) {
    this.pid = pid;
  }

  listen(): void {
    this.#listening.resolve(3000);
  }

  retire(): void {
    this.kill();
  }

  kill(): void {
    this.isRunning = false;
    this.#listening.resolve(undefined);
    this.#ended.resolve({ code: 0, signal: null });
  }
}
