import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { UnreadResponses } from "./unread-responses.ts";

const answerBytes = 8 * 1024 * 1024;

test("clients that leave too many bytes unread lose the oldest responses, and a client that reads gets its response", async () => {
  const unread = new UnreadResponses({ answerMs: 60_000, maxUnreadBytes: 3 * answerBytes }, pino({ level: "silent" }));
  const body = Buffer.alloc(answerBytes, "x");
  const server = createServer((_request, response) => {
    response.on("prefinish", () => unread.add(response, 0)).on("close", () => unread.remove(response));
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const lost: number[] = [];
  for (let client = 0; client < 6; client += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    // Bytes of the response arrive and stay unread.
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "readable");
    server.once("close", () => socket.destroy());
    void once(socket, "close").then(() => lost.push(client));
  }
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect((await answer.arrayBuffer()).byteLength).toBe(answerBytes);
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  // The connections that may stay, and the one of the client that reads.
  await expect.poll(connections).toBeLessThanOrEqual(4);
  server.closeAllConnections();
  server.close();
});

test("a client that does not read what all responses share ends no other connection, and loses its own in time", async () => {
  const unread = new UnreadResponses({ answerMs: 1_000, maxUnreadBytes: 1024 * 1024 }, pino({ level: "silent" }));
  const body = Buffer.alloc(answerBytes, "x");
  const server = createServer((_request, response) => {
    response.on("prefinish", () => unread.add(response, body.length)).on("close", () => unread.remove(response));
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const sockets = [1, 2, 3].map(() => connect(port, "127.0.0.1").on("error", () => undefined));
  for (const socket of sockets) {
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "readable");
  }
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  expect(await connections()).toBe(3);
  unread.endLate(performance.now() + 2_000);
  await expect.poll(connections).toBe(0);
  server.close();
  for (const socket of sockets) socket.destroy();
});
