import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { FakeWorker } from "../../test/support/fake-worker.ts";
import { ConnectionDispatcher, type ConnectionDispatcherOptions } from "./connection-dispatcher.ts";

test("connections wait while there is no worker, and are sent in the order they came, 16 at a time", async () => {
  const { dispatcher, connect } = createDispatcher();
  const connections = Array.from({ length: 40 }, connect);
  const worker = new FakeWorker(1);
  dispatcher.join(worker);
  expect(worker.sent).toHaveLength(16);
  for (let turn = 0; turn < 40; turn += 1) {
    worker.sent[turn]?.resolve(true);
    await setImmediate();
    expect(worker.sent).toHaveLength(Math.min(40, 17 + turn));
  }
  expect(worker.sent.map(({ connection }) => connection)).toEqual(connections);
});

test("workers take turns, and a worker that does not answer gets no more connections while others do", async () => {
  const { dispatcher, connect } = createDispatcher();
  const [hanging, first, second] = [new FakeWorker(1), new FakeWorker(2), new FakeWorker(3)];
  for (const worker of [hanging, first, second]) dispatcher.join(worker);
  for (let turn = 0; turn < 9; turn += 1) {
    connect();
    for (const worker of [first, second]) worker.sent.at(-1)?.resolve(true);
    await setImmediate();
  }
  expect([hanging, first, second].map(({ sent }) => sent.length)).toEqual([1, 4, 4]);
});

test("connections that a worker did not read go to another worker, in order, before those that came later", async () => {
  const { dispatcher, connect } = createDispatcher();
  const dying = new FakeWorker(1);
  dispatcher.join(dying);
  const connections = Array.from({ length: 20 }, connect);
  dispatcher.leave(dying);
  dying.kill("SIGKILL");
  await setImmediate();
  const other = new FakeWorker(2);
  dispatcher.join(other);
  for (let turn = 0; turn < 20; turn += 1) {
    other.sent[turn]?.resolve(true);
    await setImmediate();
  }
  expect(other.sent.map(({ connection }) => connection)).toEqual(connections);
});

test("a connection that a worker did not read is closed once it has waited for too long, not later", async () => {
  const { dispatcher, connect } = createDispatcher({ maxWaitMs: 1000 });
  const worker = new FakeWorker(1);
  dispatcher.join(worker);
  const first = connect();
  dispatcher.leave(worker);
  await sleep(900);
  const second = connect();
  worker.sent[0]?.resolve(false);
  await expect.poll(() => first.isClosed, { timeout: 10_000, interval: 10 }).toBe(true);
  // The second one has most of a second left.
  await sleep(100);
  expect(second.isClosed).toBe(false);
  await expect.poll(() => second.isClosed, { timeout: 10_000 }).toBe(true);
});

test("a worker that has left gets no more connections, even if it answers for its last one", async () => {
  const { dispatcher, connect } = createDispatcher();
  const leaving = new FakeWorker(1);
  dispatcher.join(leaving);
  connect();
  dispatcher.leave(leaving);
  leaving.sent[0]?.resolve(true);
  await setImmediate();
  connect();
  expect(leaving.sent).toHaveLength(1);
});

test("a connection is closed if the queue is full, and those that wait are not", () => {
  const { connect } = createDispatcher({ maxWaiting: 2 });
  expect([connect(), connect(), connect()].map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
});

test("a connection that has waited for too long is closed", async () => {
  const { connect } = createDispatcher({ maxWaitMs: 50 });
  const first = connect();
  expect(first.isClosed).toBe(false);
  await sleep(20);
  const second = connect();
  await expect.poll(() => first.isClosed, { timeout: 10_000 }).toBe(true);
  await expect.poll(() => second.isClosed, { timeout: 10_000 }).toBe(true);
});

test("a dispatcher that is closed closes connections that wait, are returned or come later", async () => {
  const { dispatcher, connect } = createDispatcher();
  const worker = new FakeWorker(1);
  dispatcher.join(worker);
  const connections = Array.from({ length: 17 }, connect);
  dispatcher.close();
  for (const { resolve } of worker.sent) resolve(false);
  await setImmediate();
  expect([...connections, connect()].map(({ isClosed }) => isClosed)).toEqual(Array(18).fill(true));
});

function createDispatcher(options?: ConnectionDispatcherOptions) {
  const dispatcher = new ConnectionDispatcher(options);
  const connect = () => {
    const connection = {
      isClosed: false,
      close() {
        connection.isClosed = true;
      },
    };
    dispatcher.add(connection);
    return connection;
  };
  return { dispatcher, connect };
}
