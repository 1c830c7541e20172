import type { Socket } from "node:net";
import { Answer } from "@siteward/testing/answer";
import {
  openConnection,
  parseAnswer,
  type RawAnswer,
  readRawAnswers,
  readToEnd,
} from "@siteward/testing/raw-connection";

export { openConnection, readToEnd };

/** Sends exactly these bytes and reads until the server closes the connection, which the request should ask for. */
export async function rawRequest(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const socket = await openConnection(url);
  const answer = readAnswer(socket);
  socket.write(bytes);
  return answer;
}

/** Reads everything that the server sends until it closes the connection: one response and nothing after it. */
export async function readAnswer(socket: Socket): Promise<Answer> {
  return toAnswer(parseAnswer(await readToEnd(socket)));
}

/** Reads every response until the server closes the connection. */
export async function readAnswers(socket: Socket): Promise<Answer[]> {
  return (await readRawAnswers(socket)).map(toAnswer);
}

function toAnswer({ status, headers, text }: RawAnswer): Answer {
  return new Answer(status, headers, text);
}
