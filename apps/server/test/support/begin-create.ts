import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswer } from "@siteward/testing/raw-connection";

const form = "Content-Type: application/x-www-form-urlencoded";

/** The head of a create. Its body is a form unless the headers name another content type. */
export function headOfCreate(key: string, length: number, ...headers: readonly string[]): string {
  const own = headers.some((line) => line.startsWith("Content-Type")) ? headers : [form, ...headers];
  const lines = ["Host: a", `Authorization: Bearer ${key}`, `Content-Length: ${length}`, ...own];
  return ["POST /api/v1/websites HTTP/1.1", ...lines, "", ""].join("\r\n");
}

/** Sends a request that creates `example.com`, without its body, and waits until the server has it. */
export async function beginCreate(url: string, key: string) {
  const socket = await openConnection(url);
  const received = readAnswer(socket);
  const body = "domain=example.com";
  socket.write(headOfCreate(key, body.length));
  await sleep(200);
  return { received, finish: () => void socket.write(body) };
}
