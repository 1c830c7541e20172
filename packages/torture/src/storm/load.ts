import { setTimeout as sleep } from "node:timers/promises";
import { openRawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import type { Account } from "../row.ts";

/** Clients that write and read, with one connection per request. */
export interface Load extends AsyncDisposable {
  /** How many requests failed: a 5xx answer, or none. */
  readonly failed: () => number;
  /** When the last failed request started, by performance.now(). Later requests were answered or are in progress. */
  readonly lastFailureAtMs: () => number;
  readonly answered: () => number;
  /** The domains of creates that got a 201. */
  readonly created: ReadonlySet<string>;
  /** The domains of all creates that were sent. */
  readonly sent: ReadonlySet<string>;
  readonly faults: () => string;
  /** Ends the clients, and waits for their requests in progress. */
  readonly end: () => Promise<void>;
}

/** A request that takes longer than this hangs. */
const requestTimeoutMs = 2_000;
const clients = 12;
/** A pause after each request, so that twelve clients leave processor time to others. */
const pauseMs = 15;

export function startLoad(port: number, { apiKey }: Account, name: string): Load {
  let isDone = false;
  let answered = 0;
  let lastFailureAtMs = 0;
  const faults = new Map<string, number>();
  const [created, sent] = [new Set<string>(), new Set<string>()];
  const fail = (fault: string, beganAtMs: number) => {
    lastFailureAtMs = Math.max(lastFailureAtMs, beganAtMs);
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  };
  const create = async (domain: string) => {
    sent.add(domain);
    const fault = await sendOne(port, apiKey, domain);
    if (fault === undefined) created.add(domain);
    return fault;
  };
  const client = async (index: number) => {
    for (let count = 0; !isDone; count += 1) {
      const isWrite = count % 2 === 0;
      const beganAtMs = performance.now();
      const fault = await (isWrite ? create(`${name}-${index}-${count}.example.com`) : sendOne(port, apiKey));
      if (fault === undefined) answered += 1;
      else fail(fault, beganAtMs);
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  const end = async () => {
    isDone = true;
    await all;
  };
  return {
    failed: () => [...faults.values()].reduce((sum, count) => sum + count, 0),
    lastFailureAtMs: () => lastFailureAtMs,
    answered: () => answered,
    created,
    sent,
    faults: () => [...faults].map(([fault, count]) => `${fault} (${count} times)`).join(", "),
    end,
    [Symbol.asyncDispose]: end,
  };
}

/** Sends a request. Returns what went wrong, or undefined. */
async function sendOne(port: number, apiKey: string, domain?: string): Promise<string | undefined> {
  using connection = openRawConnection(port);
  const headers = { connection: "close", "content-type": "application/json" };
  const parts =
    domain === undefined
      ? { method: "GET", path: "/api/v1/websites" }
      : { method: "POST", path: "/api/v1/websites", body: JSON.stringify({ domain, exclude_params: ["1"] }) };
  try {
    const { status } = await connection.send(writeRequest({ ...parts, apiKey, headers }), {
      timeoutMs: requestTimeoutMs,
    });
    return status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
