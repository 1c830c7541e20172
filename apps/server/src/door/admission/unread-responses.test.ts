import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { UnreadResponses } from "./unread-responses.ts";

const answerBytes = 8 * 1024 * 1024;

test("clients that leave too many bytes unread lose the oldest responses, and a client that reads gets its response", async () => {
  await using server = await startServer({ answerMs: 60_000, maxUnreadBytes: 3 * answerBytes });
  for (let client = 0; client < 6; client += 1) await server.leaveUnread("/");
  const answer = await fetch(`${server.url}/`);
  expect((await answer.arrayBuffer()).byteLength).toBe(answerBytes);
  // The connections that may stay, and the one of the client that reads.
  await expect.poll(server.connections).toBeLessThanOrEqual(4);
});

test("a client that does not read what all responses share ends no other connection, and loses its own in time", async () => {
  await using server = await startServer({ answerMs: 1_000, maxUnreadBytes: 1024 * 1024 });
  for (let client = 0; client < 3; client += 1) await server.leaveUnread("/shared");
  expect(await server.connections()).toBe(3);
  server.unread.endLate(performance.now() + 2_000);
  await expect.poll(server.connections).toBe(0);
});

test("a client that does not read what all responses share loses no connection to others, because that makes no room", async () => {
  await using server = await startServer({ answerMs: 60_000, maxUnreadBytes: answerBytes });
  const sharing = await server.leaveUnread("/shared");
  const others = [await server.leaveUnread("/"), await server.leaveUnread("/"), await server.leaveUnread("/")];
  const received = await Promise.all([sharing, ...others].map(readAll));
  expect(received.map((bytes) => bytes > answerBytes)).toEqual([true, false, false, true]);
});

/** Returns how many bytes arrive until the response is complete, or the connection is closed. */
async function readAll(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytes) socket.destroy();
  });
  await once(socket, "close");
  return bytes;
}

/** Starts a server that answers with the same bytes. Only at `/shared` they count as those of all responses. */
async function startServer(limits: ConstructorParameters<typeof UnreadResponses>[0]) {
  const unread = new UnreadResponses(limits, pino({ level: "silent" }));
  const body = Buffer.alloc(answerBytes, "x");
  const server = createServer((request, response) => {
    const sharedBytes = request.url === "/shared" ? body.length : 0;
    response.on("prefinish", () => unread.add(response, sharedBytes)).on("close", () => unread.remove(response));
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    unread,
    url: `http://127.0.0.1:${port}`,
    /** Sends a request of which bytes of the response arrive and stay unread. */
    async leaveUnread(path: string): Promise<Socket> {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await once(socket, "readable");
      return socket;
    },
    connections: () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
