import { once } from "node:events";
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
  const body = "domain=example.com";
  socket.write(headOfCreate(key, body.length, "Expect: 100-continue"));
  // The server has begun to read the body.
  await once(socket, "data");
  const received = readAnswer(socket);
  return { received, finish: () => void socket.write(body) };
}
