import { connect, type Socket } from "node:net";
import { createHead, json } from "../raw/raw-case.ts";
import { readAnswers } from "../raw/read-answers.ts";
import type { Account } from "../row.ts";

/** Many creates with a password, each on a connection of its own. */
export interface Flood {
  /** Every client closes its connection. */
  leave(): void;
  judge(): Judgement;
}

interface Judgement {
  readonly acknowledged: ReadonlySet<string>;
  readonly refused: number;
  /** Answers that none may get. */
  readonly breaches: readonly string[];
}

interface Client {
  readonly domain: string;
  readonly socket: Socket;
  text: string;
}

/** Sends everything at once. */
export function startFlood(port: number, { apiKey }: Account, count: number): Flood {
  const clients = Array.from({ length: count }, (_, index): Client => {
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
  });
  return {
    leave: () => {
      for (const { socket } of clients) socket.destroy();
    },
    judge: () => judge(clients),
  };
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
    else breaches.push(`A create was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  }
  return { acknowledged, refused, breaches };
}
