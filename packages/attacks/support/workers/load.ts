import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "@siteward/testing/servers/operate";
import { openRawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";

/** A request that takes longer than this hangs. */
const requestTimeoutMs = 2_000;
const clients = 12;
/** A pause after each request, so that twelve clients leave processor time to others. */
const pauseMs = 15;

/** Clients that write and read, with one connection per request. */
export class Load implements AsyncDisposable {
  /** The domains of creates that got a 201. */
  readonly created = new Set<string>();
  /** The domains of all creates that were sent. */
  readonly sent = new Set<string>();
  answered = 0;
  /** How many requests failed: a 5xx answer, or none. */
  failed = 0;
  /** When the last failed request started, by performance.now(). Later requests were answered or are in progress. */
  lastFailureAtMs = 0;
  readonly #faults = new Map<string, number>();
  readonly #clients: Promise<unknown>;
  #isDone = false;

  constructor(port: number, { apiKey }: Account, name: string) {
    const send = (index: number) => this.#send({ port, apiKey, name: `${name}-${index}` });
    this.#clients = Promise.all(Array.from({ length: clients }, (_, index) => send(index)));
  }

  /** What went wrong, and how often. */
  get faults(): string {
    return [...this.#faults].map(([fault, count]) => `${fault} (${count} times)`).join(", ");
  }

  /** Ends the clients, and waits for their requests in progress. */
  async end(): Promise<void> {
    this.#isDone = true;
    await this.#clients;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #send({ port, apiKey, name }: { port: number; apiKey: string; name: string }): Promise<void> {
    for (let count = 0; !this.#isDone; count += 1) {
      const domain = count % 2 === 0 ? `${name}-${count}.example.com` : undefined;
      const beganAtMs = performance.now();
      if (domain !== undefined) this.sent.add(domain);
      const fault = await sendOne(port, apiKey, domain);
      if (fault === undefined) this.answered += 1;
      else this.#fail(fault, beganAtMs);
      if (fault === undefined && domain !== undefined) this.created.add(domain);
      await sleep(pauseMs);
    }
  }

  #fail(fault: string, beganAtMs: number): void {
    this.failed += 1;
    this.lastFailureAtMs = Math.max(this.lastFailureAtMs, beganAtMs);
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
  }
}

/** Creates this website, or lists all. Returns what went wrong, or undefined. */
async function sendOne(port: number, apiKey: string, domain?: string): Promise<string | undefined> {
  using connection = openRawConnection(port);
  const headers = { connection: "close", "content-type": "application/json" };
  const body = domain === undefined ? undefined : JSON.stringify({ domain, exclude_params: ["1"] });
  const method = body === undefined ? "GET" : "POST";
  const request = writeRequest({ method, path: "/api/v1/websites", apiKey, headers, body });
  try {
    const { status } = await connection.send(request, { timeoutMs: requestTimeoutMs });
    return status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Longer than a request can hang, so that a request that hangs now is noticed. */
const calmMs = 3_000;
/** The number of requests that must be answered meanwhile: two for each client. */
const minAnswered = 24;

/**
 * Waits until no request has failed for a while and many were answered.
 *
 * @param isWhole a further condition
 * @returns how long the recovery took; infinity if it takes longer than `maxMs`
 */
export async function untilWell(load: Load, maxMs: number, isWhole: () => boolean): Promise<number> {
  const sinceMs = performance.now();
  let [wholeAtMs, wellAtMs, answeredBefore] = [sinceMs, sinceMs, load.answered];
  for (;;) {
    if (!isWhole()) wholeAtMs = performance.now();
    await sleep(50);
    const troubledAtMs = Math.max(wholeAtMs, load.lastFailureAtMs);
    if (troubledAtMs > wellAtMs) [wellAtMs, answeredBefore] = [troubledAtMs, load.answered];
    const nowMs = performance.now();
    if (wellAtMs - sinceMs > maxMs || nowMs - sinceMs > maxMs + calmMs * 2) return Number.POSITIVE_INFINITY;
    if (nowMs - wellAtMs > calmMs && load.answered - answeredBefore >= minAnswered) return wellAtMs - sinceMs;
  }
}
