import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ForkedWorker, SocketConnection } from "./worker-process.ts";

/**
 * A program that lives and reads its channel. Like a worker without a free file descriptor, it does not see the first
 * connection.
 */
const lossy = `
  process.on("message", ({ kind, number }, socket) => {
    if (kind === "echo") process.send({ kind, number });
    if (kind === "connection" && number > 1) process.send({ kind: "taken", number });
  });
  setInterval(() => process.send({ kind: "beat" }), 20);
`;
const stuck = `
  process.on("message", () => undefined);
  process.send({ kind: "ready" });
`;
const answering = `
  process.on("message", ({ kind, number }, socket) => {
    if (kind !== "connection") return;
    process.send({ kind: "taken", number });
    socket.end("hello");
  });
`;

test("a connection that is lost on its way to a live worker is reported, and is still open for another worker", async () => {
  await using worker = await forkScript(lossy);
  await using accepted = await acceptConnection();
  expect(await new ForkedWorker(worker.child).send(accepted.connection)).toBe(false);
  await expectAnotherAnswers(accepted);
});

test("a connection that is lost on its way is not confused with those sent after it", async () => {
  await using worker = await forkScript(lossy);
  await using first = await acceptConnection();
  await using second = await acceptConnection();
  await using third = await acceptConnection();
  const forked = new ForkedWorker(worker.child);
  expect(await Promise.all([first, second, third].map(({ connection }) => forked.send(connection)))).toEqual([
    false,
    true,
    true,
  ]);
});

test("connections that are pending at a worker when it is killed are reported, and are still open for another worker", async () => {
  await using killed = await forkScript(stuck);
  await using first = await acceptConnection();
  await using second = await acceptConnection();
  const worker = new ForkedWorker(killed.child);
  expect(await worker.listening).toBe(true);
  // Node sends the second connection once the process has the first. A stopped process never says that.
  process.kill(killed.child.pid ?? 0, "SIGSTOP");
  const taken = Promise.all([first, second].map(({ connection }) => worker.send(connection)));
  worker.kill("SIGKILL");
  expect(await taken).toEqual([false, false]);
  await expectAnotherAnswers(first);
  await expectAnotherAnswers(second);
});

test("a worker whose channel is closed has left, so it is not sent the same connection again and again", async () => {
  await using unreachable = await forkScript(stuck);
  await using first = await acceptConnection();
  await using second = await acceptConnection();
  const worker = new ForkedWorker(unreachable.child);
  expect(await worker.listening).toBe(true);
  process.kill(unreachable.child.pid ?? 0, "SIGSTOP");
  const taken = worker.send(first.connection);
  // While a connection is being sent, Node does not report that the channel is closed.
  unreachable.child.disconnect();
  expect(await worker.send(second.connection)).toBe(false);
  await worker.left;
  worker.kill("SIGKILL");
  expect(await taken).toBe(false);
});

async function expectAnotherAnswers({ client, connection }: AcceptedConnection): Promise<void> {
  await using other = await forkScript(answering);
  expect(await new ForkedWorker(other.child).send(connection)).toBe(true);
  connection.close();
  expect(String(await once(client, "data"))).toBe("hello");
}

async function forkScript(script: string): Promise<AsyncDisposable & { child: ChildProcess }> {
  const folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const path = join(folder.path, "worker.mjs");
  await writeFile(path, script);
  const child = fork(path, { execArgv: [] });
  return {
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await folder.remove();
    },
  };
}

/** A connection as the primary has it, and its client. */
interface AcceptedConnection extends AsyncDisposable {
  readonly client: Socket;
  readonly connection: SocketConnection;
}

async function acceptConnection(): Promise<AcceptedConnection> {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const client = connect({ host: "127.0.0.1", port: typeof address === "object" && address ? address.port : 0 });
  const [socket] = (await once(server, "connection")) as [Socket];
  return {
    client,
    connection: new SocketConnection(socket),
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.close();
    },
  };
}
