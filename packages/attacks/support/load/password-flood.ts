import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { splitAnswers } from "@siteward/testing/split-answers";
import { create, json } from "../bytes/raw-requests.ts";
import { createHttpClient } from "../client/http-client.ts";
import { isRefusal } from "./overload.ts";

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

/** How many connections open together. The pause after them lets this process measure other requests meanwhile. */
const together = 20;
const pauseMs = 8;

/** Starts the flood. It sends all requests within the first second. */
export async function startFlood(port: number, apiKey: string, count: number): Promise<Flood> {
  const clients: Client[] = [];
  for (let index = 0; index < count; index += 1) {
    clients.push(openClient(port, apiKey, index));
    if (index % together === together - 1) await sleep(pauseMs);
  }
  return {
    leave: () => {
      for (const { socket } of clients) socket.destroy();
    },
    judge: () => judge(clients),
  };
}

function openClient(port: number, apiKey: string, index: number): Client {
  const domain = `flood-${index}.example.com`;
  const body = JSON.stringify({ domain, privacy: 2, password: `correct horse ${index}` });
  const socket = connect({ port, host: "127.0.0.1" });
  const client = { domain, socket, text: "" };
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    client.text += chunk;
  });
  socket.on("error", () => {});
  socket.write(create(json, body).replace("{key}", apiKey));
  return client;
}

function judge(clients: readonly Client[]): Judgement {
  const acknowledged = new Set<string>();
  const breaches: string[] = [];
  let refused = 0;
  for (const { domain, text } of clients) {
    const answer = splitAnswers(text).answers[0];
    if (answer?.status === 201) acknowledged.add(domain);
    else if (answer?.status === 503 && answer.headers.has("retry-after")) refused += 1;
    else if (answer !== undefined) breaches.push(`${answer.status}: ${answer.body.slice(0, 200)}`);
  }
  return { acknowledged, refused, breaches };
}

/** When another account creates websites with a password, after the flood has started. */
const createAtMs = [0, 600, 1_200];

/** Creates as another account. Returns how long each create took, and answers that it may not get. */
export async function createMeanwhile(url: string, apiKey: string) {
  using client = createHttpClient(url);
  const breaches: string[] = [];
  const create = async (afterMs: number) => {
    await sleep(afterMs);
    const startedAtMs = performance.now();
    const body = { domain: `other-${afterMs}.example.com`, privacy: 2, password: "correct horse" };
    const answer = await client.send("POST", "/api/v1/websites", { apiKey, body }).catch(() => undefined);
    const isFit = answer?.status === 201 || (answer !== undefined && isRefusal(answer));
    if (!isFit) breaches.push(`A create of the other account got ${answer?.status ?? "no answer"}.`);
    return performance.now() - startedAtMs;
  };
  return { timesMs: await Promise.all(createAtMs.map(create)), breaches };
}
