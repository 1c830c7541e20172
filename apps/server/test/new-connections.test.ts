import { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { fixedTimeouts, serve } from "../src/door/sockets/serve.ts";

const { timeouts, maxRequests } = readConfig({});
const busyCount = 40;
const newCount = 20;

test("new connections are answered although busy connections request more than the server can answer", async () => {
  const server = await serve(
    {
      listener: (_request, response) => {
        work();
        response.end("a");
      },
      keyOf: () => undefined,
      messages: { IncomingMessage, ServerResponse },
    },
    { host: "127.0.0.1", port: 0 },
    { logger: pino({ level: "silent" }), timeouts: { ...timeouts, ...fixedTimeouts }, maxRequests },
  );
  const port = Number(new URL(server.url).port);
  const sockets: Socket[] = [];
  let answerCount = 0;
  const open = (onAnswer: (socket: Socket) => void) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.on("data", () => onAnswer(socket));
    socket.write(request);
    sockets.push(socket);
  };
  try {
    const busy = Array.from({ length: busyCount }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open((socket) => {
        answerCount += 1;
        resolve();
        socket.write(request);
      });
      return promise;
    });
    await Promise.all(busy);
    const before = answerCount;
    await Promise.all(Array.from({ length: newCount }, () => new Promise<void>((resolve) => open(() => resolve()))));
    // Node accepts one or two connections per turn. There are 105 answers, and 440 if each turn answers all busy connections.
    expect(answerCount - before).toBeLessThan(250);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.close();
  }
});

const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** Keeps the event loop busy, as reading a long page does. */
function work(): void {
  const endMs = performance.now() + 2;
  while (performance.now() < endMs);
}
