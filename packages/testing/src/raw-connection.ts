import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Answer } from "./answer.ts";
import { splitAnswers } from "./split-answers.ts";

/** Opens a connection to a server, for requests that no HTTP client would send. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Reads everything that the server sends until it closes the connection: one response and nothing after it. */
export async function readAnswer(socket: Socket): Promise<Answer> {
  const [answer, ...others] = await readAnswers(socket);
  if (answer === undefined || others.length > 0) throw new Error("The server sent no answer, or more than one.");
  return answer;
}

/** Reads every response until the server closes the connection. */
export async function readAnswers(socket: Socket): Promise<Answer[]> {
  const { answers, rest } = splitAnswers(await readToEnd(socket));
  if (rest !== "") throw new Error(`Got what is no entire answer: ${rest}`);
  return answers.map(
    ({ status, headers, body }) =>
      new Answer(status, new Headers([...headers]), Buffer.from(body, "latin1").toString()),
  );
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
