import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Answer } from "./answer.ts";

/** Opens a bare connection to a server, for what no HTTP client would send. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Sends the very bytes and reads until the server closes the connection, which a request for it should ask for. */
export async function rawRequest(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const socket = await openConnection(url);
  const answer = readAnswer(socket);
  socket.write(bytes);
  return answer;
}

/** Reads everything that the server sends until it closes the connection: one answer and nothing after it. */
export async function readAnswer(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A connection that is reset has closed too; what arrived before counts.
  socket.on("error", () => socket.destroy());
  await once(socket, "close");
  return parseAnswer(Buffer.concat(chunks).toString("utf8"));
}

function parseAnswer(text: string): Answer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  return new Answer(Number(statusLine.split(" ")[1]), headers, text.slice(end + 4));
}
