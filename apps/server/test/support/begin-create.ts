import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswer } from "@siteward/testing/raw-connection";

/** Sends a request that creates `example.com`, without its body, and waits until the server has it. */
export async function beginCreate(url: string, key: string) {
  const socket = await openConnection(url);
  const received = readAnswer(socket);
  const body = "domain=example.com";
  socket.write(
    `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await sleep(200);
  return { received, finish: () => void socket.write(body) };
}
