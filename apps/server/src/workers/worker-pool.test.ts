import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { FakeWorker } from "../../test/support/fake-worker.ts";
import type { Cluster } from "./cluster.ts";
import { ConnectionDispatcher } from "./connection-dispatcher.ts";
import { WorkerPool } from "./worker-pool.ts";

const logger = pino({ level: "silent" });
const answerLeases = () => ({ grants: [] });

test("a pool has all its workers again if one dies while another is replaced", async () => {
  const { cluster, workers } = fakeCluster();
  const pool = new WorkerPool(cluster, { dispatcher: new ConnectionDispatcher(), size: 3, logger, answerLeases });
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

test("a replaced worker that hangs before it ends is killed too", async () => {
  const { cluster, workers } = fakeCluster();
  const pool = new WorkerPool(cluster, {
    dispatcher: new ConnectionDispatcher(),
    size: 1,
    logger,
    answerLeases,
    beatIntervalMs: 20,
  });
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
  const openPort = () => Promise.resolve({ port: 3000, close: () => undefined });
  const cluster: Cluster = { primary: undefined, openPort, fork };
  return { cluster, workers };
}

async function open(pool: WorkerPool, workers: readonly FakeWorker[]): Promise<void> {
  const opening = pool.open([]);
  workers[0]?.listen();
  await opening;
  for (const worker of workers) worker.listen();
  await setImmediate();
}
