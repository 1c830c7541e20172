import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createHead, json } from "../raw/raw-case.ts";
import { readAnswers } from "../raw/read-answers.ts";
import type { Account } from "../row.ts";

/** Many creates with a password, each on its own connection. */
export interface Flood {
  /** Closes the connections of all clients. */
  leave(): void;
  judge(): Judgement;
}

interface Judgement {
  readonly acknowledged: ReadonlySet<string>;
  readonly refused: number;
  /** Answers that no client may get. */
  readonly breaches: readonly string[];
}

interface Client {
  readonly domain: string;
  readonly socket: Socket;
  text: string;
}

/** How many connections open together. The pause after them lets the row measure other requests in this process meanwhile. */
const together = 20;
const pauseMs = 8;

/** Starts the flood. It sends all requests within the first second. */
export async function startFlood(port: number, account: Account, count: number): Promise<Flood> {
  const clients: Client[] = [];
  for (let index = 0; index < count; index += 1) {
    clients.push(openClient(port, account, index));
    if (index % together === together - 1) await sleep(pauseMs);
  }
  return {
    leave: () => {
      for (const { socket } of clients) socket.destroy();
    },
    judge: () => judge(clients),
  };
}

function openClient(port: number, { apiKey }: Account, index: number): Client {
  const domain = `flood-${index}.example.com`;
  const body = JSON.stringify({ domain, privacy: 2, password: `correct horse ${index}` });
  const socket = connect({ port, host: "127.0.0.1" });
  const client = { domain, socket, text: "" };
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    client.text += chunk;
  });
  socket.on("error", () => {});
  socket.write(createHead(json, `Content-Length: ${body.length}`).replace("{key}", apiKey) + body);
  return client;
}

function judge(clients: readonly Client[]): Judgement {
  const acknowledged = new Set<string>();
  const breaches: string[] = [];
  let refused = 0;
  for (const { domain, text } of clients) {
    const answer = readAnswers(text, false).answers[0];
    if (answer === undefined) continue;
    if (answer.status === 201) acknowledged.add(domain);
    else if (answer.status === 503 && answer.headers.has("retry-after")) refused += 1;
    else breaches.push(`A create was answered with ${answer.status}: ${answer.body.slice(0, 200)}`);
  }
  return { acknowledged, refused, breaches };
}
