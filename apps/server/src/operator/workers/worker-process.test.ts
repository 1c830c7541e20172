import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SocketConnection, toWorkerProcess } from "./worker-process.ts";

/** Lives and reads its channel, as a worker that has no file descriptor left for a connection. */
const unanswering = `
  process.on("message", (message) => typeof message === "number" && process.send(message));
  setInterval(() => process.send("beat"), 20);
`;
const stuck = `
  process.on("message", () => undefined);
  process.send("ready");
`;
const answering = `
  process.on("message", (message, socket) => {
    if (typeof message === "number") process.send(message);
    if (message !== "connection") return;
    process.send("taken");
    socket.end("hello");
  });
  setInterval(() => process.send("beat"), 20);
`;

test("a connection that does not reach a worker that lives is not taken, and is still open for another", async () => {
  await using lossy = await forkScript(unanswering);
  await using other = await forkScript(answering);
  await using accepted = await acceptConnection();
  expect(await toWorkerProcess(lossy.child).take(accepted.connection)).toBe(false);
  expect(await toWorkerProcess(other.child).take(accepted.connection)).toBe(true);
  accepted.connection.close();
  expect(String(await once(accepted.client, "data"))).toBe("hello");
});

test("a connection on the way to a worker that is killed is not taken, and is still open for another", async () => {
  await using killed = await forkScript(stuck);
  await using other = await forkScript(answering);
  await using accepted = await acceptConnection();
  const worker = toWorkerProcess(killed.child);
  expect(await worker.listening).toBe(true);
  const taken = worker.take(accepted.connection);
  worker.kill("SIGKILL");
  expect(await taken).toBe(false);
  expect(await toWorkerProcess(other.child).take(accepted.connection)).toBe(true);
  accepted.connection.close();
  expect(String(await once(accepted.client, "data"))).toBe("hello");
});

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

/** A connection as the first process has it, and its client. */
async function acceptConnection() {
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
