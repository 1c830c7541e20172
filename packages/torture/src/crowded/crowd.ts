import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Probed, type ProbeOptions, probeFor } from "../client/probe.ts";
import { openRawConnection, type RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import type { Account } from "../row.ts";

export interface CrowdOptions {
  readonly url: string;
  /** The file of the database, which is locked meanwhile as by another process. */
  readonly file: string;
  readonly connections: number;
  readonly account: Account;
  readonly durationMs: number;
  /** How often each connection sends a create, if it is refused or answered before the end. */
  readonly attempts: number;
  /** What follows the domain in the body of each create. */
  readonly bodyEnd: string;
  /** What another client reads meanwhile. */
  readonly read: ProbeOptions;
}

export interface Crowded {
  readonly created: number;
  readonly refused: number;
  /** Answers that no client may get. */
  readonly breaches: readonly string[];
  /** What the other client saw. */
  readonly during: Probed;
}

/** A refused client tries again after this time, as the server says. */
const retryMs = 1_000;
/** A change waits for a lock for five seconds. */
const maxArrivalMs = 4_000;

const readHealth = writeRequest({ method: "GET", path: "/healthz" });

/** Sends creates over many connections while the database is locked, and reads as another client meanwhile. */
export async function crowd({ url, file, durationMs, read, ...options }: CrowdOptions): Promise<Crowded> {
  const counts = { created: 0, refused: 0, breaches: new Set<string>() };
  using open = openConnections(Number(new URL(url).port), options.connections);
  using health = openRawConnection(Number(new URL(url).port));
  await Promise.all([health, ...open.connections].map((connection) => connection.send(readHealth)));
  using lock = openLocked(file);
  const ended = new AbortController();
  const work = async (connection: RawConnection, index: number) => {
    for (let attempt = 0; attempt < options.attempts && !ended.signal.aborted; attempt += 1) {
      const domain = `crowd-${options.bodyEnd.length}-${index}-${attempt}.example.com`;
      const answer = await connection.send(writeCreate(domain, options)).catch((error: Error) => error);
      if (answer instanceof Error) counts.breaches.add(`A create had no answer: ${answer.message}`);
      else if (answer.status === 201) counts.created += 1;
      else if (answer.status === 503 && answer.headers.has("retry-after")) counts.refused += 1;
      else counts.breaches.add(`A create was answered with ${answer.status}.`);
      await sleep(retryMs, undefined, ended).catch(() => undefined);
    }
  };
  const all = Promise.all(open.connections.map(work));
  // Once the first attempts are refused or wait, the server has as many as it admits. Those that wait are validated first.
  const startedAtMs = performance.now();
  for (let before = -1; before !== counts.refused || before === 0; await sleep(100)) {
    if (performance.now() - startedAtMs > maxArrivalMs) break;
    before = counts.refused;
  }
  await health.send(readHealth);
  const during = await probeFor(durationMs, url, read);
  ended.abort();
  lock.unlock();
  await all;
  return { ...counts, breaches: [...counts.breaches], during };
}

function openConnections(port: number, count: number): Disposable & { readonly connections: readonly RawConnection[] } {
  const connections = Array.from({ length: count }, () => openRawConnection(port));
  return {
    connections,
    [Symbol.dispose]: () => {
      for (const connection of connections) connection[Symbol.dispose]();
    },
  };
}

function writeCreate(domain: string, { account, bodyEnd }: Pick<CrowdOptions, "account" | "bodyEnd">): string {
  const body = `{"domain":"${domain}"${bodyEnd}`;
  const headers = { "content-type": "application/json" };
  return writeRequest({ method: "POST", path: "/api/v1/websites", apiKey: account.apiKey, headers, body });
}

function openLocked(file: string): Disposable & { readonly unlock: () => void } {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec("begin immediate");
  return {
    unlock: () => database.exec("rollback"),
    [Symbol.dispose]: () => database.close(),
  };
}
