import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ConnectionLine, type ConnectionLineOptions } from "./connection-line.ts";
import { FakeWorker } from "./fake-worker.ts";

test("connections wait while no worker is there, and are handed over in the order they came", async () => {
  const { line, connect } = createLine();
  const connections = [connect(), connect(), connect()];
  const worker = new FakeWorker(1);
  line.join(worker);
  for (const connection of connections) {
    expect(worker.handedOver.at(-1)?.connection).toBe(connection);
    worker.handedOver.at(-1)?.resolve(true);
    await setImmediate();
  }
  expect(worker.handedOver).toHaveLength(3);
});

test("workers take turns, and one that does not answer gets no more than one connection", async () => {
  const { line, connect } = createLine();
  const [hanging, first, second] = [new FakeWorker(1), new FakeWorker(2), new FakeWorker(3)];
  for (const worker of [hanging, first, second]) line.join(worker);
  for (let turn = 0; turn < 9; turn += 1) {
    connect();
    for (const worker of [first, second]) worker.handedOver.at(-1)?.resolve(true);
    await setImmediate();
  }
  expect([hanging, first, second].map(({ handedOver }) => handedOver.length)).toEqual([1, 4, 4]);
});

test("a connection that a worker did not take goes to another, before those that came later", async () => {
  const { line, connect } = createLine();
  const dying = new FakeWorker(1);
  line.join(dying);
  const [first, second] = [connect(), connect()];
  line.leave(dying);
  dying.kill("SIGKILL");
  await setImmediate();
  const other = new FakeWorker(2);
  line.join(other);
  expect(other.handedOver.map(({ connection }) => connection)).toEqual([first]);
  other.handedOver[0]?.resolve(true);
  await setImmediate();
  expect(other.handedOver.map(({ connection }) => connection)).toEqual([first, second]);
});

test("a worker that has left gets no more connections, though it answers for its last one", async () => {
  const { line, connect } = createLine();
  const leaving = new FakeWorker(1);
  line.join(leaving);
  connect();
  line.leave(leaving);
  leaving.handedOver[0]?.resolve(true);
  await setImmediate();
  connect();
  expect(leaving.handedOver).toHaveLength(1);
});

test("a connection that finds the line full is closed, and those that wait are not", () => {
  const { connect } = createLine({ maxWaiting: 2 });
  expect([connect(), connect(), connect()].map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
});

test("a connection that has waited for too long is closed", async () => {
  const { connect } = createLine({ maxWaitMs: 50 });
  const first = connect();
  expect(first.isClosed).toBe(false);
  await sleep(20);
  const second = connect();
  await expect.poll(() => first.isClosed, { timeout: 10_000 }).toBe(true);
  await expect.poll(() => second.isClosed, { timeout: 10_000 }).toBe(true);
});

test("a line that is closed closes what waits, what is sent back and what still comes", async () => {
  const { line, connect } = createLine();
  const worker = new FakeWorker(1);
  line.join(worker);
  const connections = [connect(), connect()];
  line.close();
  worker.handedOver[0]?.resolve(false);
  await setImmediate();
  expect([...connections, connect()].map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});

function createLine(options?: ConnectionLineOptions) {
  const line = new ConnectionLine(options);
  const connect = () => {
    const connection = {
      isClosed: false,
      close() {
        connection.isClosed = true;
      },
    };
    line.add(connection);
    return connection;
  };
  return { line, connect };
}
