import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Cluster, WorkerEnd, WorkerProcess } from "./cluster.ts";
import { WorkerPool } from "./worker-pool.ts";

const logger = pino({ level: "silent" });

test("a pool has all its workers again where one dies while another is replaced", async () => {
  const { cluster, workers } = fakeCluster();
  const pool = new WorkerPool(cluster, { size: 3, logger });
  await open(pool, workers);

  const restarting = pool.restart();
  await setImmediate();
  expect(workers).toHaveLength(4);
  workers[2]?.kill("SIGKILL");
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

test("a worker that falls silent is killed and replaced; one that beats and one that still starts are left alone", async () => {
  const { cluster, workers } = fakeCluster();
  const pool = new WorkerPool(cluster, { size: 3, logger, beatIntervalMs: 20 });
  await open(pool, workers);
  const [beating, silent, starting] = workers;
  silent?.beat();
  const beats = setInterval(() => beating?.beat(), 1);
  await expect.poll(() => workers.length, { timeout: 10_000 }).toBe(4);
  clearInterval(beats);
  expect(silent?.signals).toEqual(["SIGKILL"]);
  expect([beating?.isRunning, starting?.isRunning]).toEqual([true, true]);
  await pool.close();
});

test("a worker that was replaced and hangs before it ends is killed too", async () => {
  const { cluster, workers } = fakeCluster();
  const pool = new WorkerPool(cluster, { size: 1, logger, beatIntervalMs: 20 });
  await open(pool, workers);
  const [hanging] = workers;
  hanging?.beat();
  hanging?.hang();
  const restarting = pool.restart();
  await setImmediate();
  workers[1]?.listen();
  await restarting;
  await expect.poll(() => hanging?.isRunning, { timeout: 10_000 }).toBe(false);
  expect(hanging?.signals).toEqual(["SIGKILL"]);
  expect(workers).toHaveLength(2);
  await pool.close();
});

function fakeCluster() {
  const workers: FakeWorker[] = [];
  const fork = () => {
    const worker = new FakeWorker(workers.length + 1);
    workers.push(worker);
    return worker;
  };
  const cluster: Cluster = { self: undefined, fork };
  return { cluster, workers };
}

async function open(pool: WorkerPool, workers: readonly FakeWorker[]): Promise<void> {
  const opening = pool.open();
  workers[0]?.listen();
  await opening;
  for (const worker of workers) worker.listen();
  await setImmediate();
}

/** A process that does at once what it is asked to, unless it hangs. */
class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly #listening = Promise.withResolvers<number | undefined>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  readonly listening = this.#listening.promise;
  readonly ended = this.#ended.promise;
  readonly signals: string[] = [];
  isRunning = true;
  #isHanging = false;
  #onBeat = () => undefined as void;

  constructor(pid: number) {
    this.pid = pid;
  }

  listen(): void {
    this.#listening.resolve(3000);
  }

  onBeat(listener: () => void): void {
    this.#onBeat = listener;
  }

  beat(): void {
    this.#onBeat();
  }

  hang(): void {
    this.#isHanging = true;
  }

  retire(): void {
    if (!this.#isHanging) this.kill("SIGTERM");
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    this.signals.push(signal);
    this.isRunning = false;
    this.#listening.resolve(undefined);
    this.#ended.resolve({ code: 0, signal: null });
  }
}
