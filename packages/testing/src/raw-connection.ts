import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Answer } from "./answer.ts";

/** Opens a connection to a server, for requests that no HTTP client would send. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Sends exactly these bytes and reads until the server closes the connection, which the request should ask for. */
export async function rawRequest(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const socket = await openConnection(url);
  const answer = readAnswer(socket);
  socket.write(bytes);
  return answer;
}

/** Reads everything that the server sends until it closes the connection: one response and nothing after it. */
export async function readAnswer(socket: Socket): Promise<Answer> {
  return parseAnswer(await readToEnd(socket));
}

/** Reads every response until the server closes the connection. */
export async function readAnswers(socket: Socket): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let rest = await readToEnd(socket); rest !== ""; ) {
    const headEnd = rest.indexOf("\r\n\r\n") + 4;
    const length = Number(/^content-length: (\d+)/im.exec(rest.slice(0, headEnd))?.[1] ?? 0);
    answers.push(parseAnswer(rest.slice(0, headEnd + length)));
    rest = rest.slice(headEnd + length);
  }
  return answers;
}

/** Reads everything that the server sends until it closes the connection. Every character is one byte. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A connection that is reset has closed too. What arrived before counts.
  socket.on("error", () => socket.destroy());
  await new Promise((resolve) => socket.once("close", resolve));
  // Every character is one byte, so a length in bytes counts characters.
  return Buffer.concat(chunks).toString("latin1");
}

function parseAnswer(received: string): Answer {
  const end = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  const text = Buffer.from(received.slice(end + 4), "latin1").toString("utf8");
  return new Answer(Number(statusLine.split(" ")[1]), new Headers(headers), text);
}
