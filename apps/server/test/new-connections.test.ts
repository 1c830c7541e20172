import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const busyCount = 200;
const newCount = 20;

test("new connections are answered although busy connections request more than the server can answer", async () => {
  await using server = await startTestServer(engines.sqlite);
  const port = Number(new URL(server.url).port);
  const request = `GET /api/v1/account HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
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
    // Node accepts one or two connections per turn, and a turn starts 32 requests. If it started all, there would be 2,000 to 4,000.
    expect(answerCount - before).toBeLessThan(1_200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
