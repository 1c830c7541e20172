import { setTimeout as sleep } from "node:timers/promises";
import type { HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";
import { readMember } from "../client/read-member.ts";
import { patienceMs } from "../patience.ts";

/** A create with an idempotency key, and all answers that clients got to it. */
export interface KeyedCreate {
  readonly key: string;
  readonly body: { readonly domain: string };
  readonly answers: RawAnswer[];
}

/** Who sends creates. */
export interface Sender {
  readonly client: HttpClient;
  readonly apiKey: string;
}

/** Sends a create once. Returns its answer, or undefined if the connection was lost. */
export async function sendCreate({ client, apiKey }: Sender, create: KeyedCreate): Promise<RawAnswer | undefined> {
  const headers = { "idempotency-key": create.key };
  const sending = client.send("POST", "/api/v1/websites", { apiKey, headers, body: create.body });
  const answer = await sending.catch(() => undefined);
  if (answer !== undefined) create.answers.push(answer);
  return answer;
}

/** Returns what an answer says: "created", or its code. */
export function meaningOf({ status, json }: RawAnswer): string {
  return status === 201 ? "created" : String(readMember(json, "code") ?? status);
}

export function isReplay({ headers }: RawAnswer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

interface Run {
  /** Part of every key and domain. */
  readonly name: string;
  readonly isDone: () => boolean;
  /** Called for each answer. */
  readonly onAnswer?: () => void;
}

const senders = 8;
const pauseMs = 10;

/** Sends creates until it is told to stop: 8 at a time, each on two connections, and again until it is answered. */
export async function runCreates(sender: Sender, { name, isDone, onAnswer }: Run): Promise<KeyedCreate[]> {
  const creates: KeyedCreate[] = [];
  const send = async (create: KeyedCreate) => {
    if ((await sendCreate(sender, create)) !== undefined) onAnswer?.();
  };
  const run = async () => {
    while (!isDone()) {
      const key = `${name}-${creates.length}`;
      const create: KeyedCreate = { key, body: { domain: `${key}.example.com` }, answers: [] };
      creates.push(create);
      for (; !isDone() && !isSettled(create); await sleep(isSettled(create) ? 0 : pauseMs)) {
        await Promise.all([send(create), send(create)]);
      }
    }
  };
  await Promise.all(Array.from({ length: senders }, run));
  return creates;
}

/** What became of creates that may have been cut off. */
export interface SettledCounts {
  creates: number;
  /** The database had stored it, although no client had an answer. */
  "stored without an answer": number;
  "created by a retry": number;
}

/** Sends each create again until it is answered, and then once more. Counts what became of it. */
export async function settleCreates(
  sender: Sender,
  creates: readonly KeyedCreate[],
  counts: SettledCounts,
): Promise<void> {
  for (const create of creates) {
    const wasSettled = isSettled(create);
    for (const endMs = Date.now() + patienceMs; !(await isSent(sender, create)) && Date.now() < endMs; ) {
      await sleep(pauseMs);
    }
    const last = create.answers.at(-1);
    counts.creates += 1;
    if (!wasSettled && last !== undefined) {
      counts[isReplay(last) ? "stored without an answer" : "created by a retry"] += 1;
    }
    await sendCreate(sender, create);
  }
}

async function isSent(sender: Sender, create: KeyedCreate): Promise<boolean> {
  const answer = await sendCreate(sender, create);
  return answer !== undefined && answer.status !== 503 && meaningOf(answer) !== "idempotency_in_progress";
}

function isSettled({ answers }: KeyedCreate): boolean {
  return answers.some((answer) => meaningOf(answer) === "created");
}
