import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";
import { isRefusal } from "./overload.ts";

/** Many creates with a password, each on its own connection. */
export interface Flood {
  /** Closes the connections of all clients. */
  leave(): void;
  readonly acknowledged: ReadonlySet<string>;
  readonly refusals: () => number;
  /** Answers that no client may get. */
  readonly breaches: readonly string[];
}

/** How many connections open together. The pause after them lets this process measure other requests meanwhile. */
const together = 20;
const pauseMs = 8;

/** Starts the flood. It sends all requests within the first second. */
export async function startFlood(url: string, apiKey: string, count: number): Promise<Flood> {
  const client = createHttpClient(url, { connections: count });
  const acknowledged = new Set<string>();
  const breaches: string[] = [];
  let refusals = 0;
  const create = async (domain: string) => {
    // A client that has left gets no answer.
    const answer = await createProtected(client, apiKey, domain);
    if (answer?.status === 201) acknowledged.add(domain);
    else if (answer !== undefined && isRefusal(answer)) refusals += 1;
    else if (answer !== undefined) breaches.push(`${answer.status}: ${answer.text.slice(0, 200)}`);
  };
  for (let index = 0; index < count; index += 1) {
    void create(`flood-${index}.example.com`);
    if (index % together === together - 1) await sleep(pauseMs);
  }
  return { leave: () => client[Symbol.dispose](), acknowledged, refusals: () => refusals, breaches };
}

function createProtected(client: HttpClient, apiKey: string, domain: string): Promise<RawAnswer | undefined> {
  const body = { domain, privacy: 2, password: "correct horse" };
  return client.send("POST", "/api/v1/websites", { apiKey, body }).catch(() => undefined);
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
    const answer = await createProtected(client, apiKey, `other-${afterMs}.example.com`);
    const isFit = answer?.status === 201 || (answer !== undefined && isRefusal(answer));
    if (!isFit) breaches.push(`A create of the other account got ${answer?.status ?? "no answer"}.`);
    return performance.now() - startedAtMs;
  };
  return { timesMs: await Promise.all(createAtMs.map(create)), breaches };
}
