import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { TargetServer } from "@siteward/testing/servers/start-server";
import { type Probed, type ProbeOptions, probeFor } from "../client/probe.ts";
import { openRawConnection, type RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import { isRefusal } from "./overload.ts";

export interface Crowd {
  readonly server: Pick<TargetServer, "url" | "port" | "answeringIds">;
  /** The file of the database, which is locked meanwhile as by another process. */
  readonly file: string;
  readonly connections: number;
  /** The keys of one account, which connections use in turn. */
  readonly apiKeys: readonly string[];
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
  readonly breaches: ReadonlySet<string>;
  /** What the other client saw. */
  readonly during: Probed;
}

/** A refused client tries again after this time, as the server says. */
const retryMs = 1_000;
/** A change waits for a lock for five seconds. */
const maxArrivalMs = 4_000;
const readHealth = writeRequest({ method: "GET", path: "/healthz" });

/** Sends creates over many connections while the database is locked, and reads as another client meanwhile. */
export async function crowd({ server, file, durationMs, read, ...options }: Crowd): Promise<Crowded> {
  const counts = { created: 0, refused: 0, breaches: new Set<string>() };
  using opened = new DisposableStack();
  const connections = Array.from({ length: options.connections }, () => opened.use(openRawConnection(server.port)));
  const health = opened.use(openRawConnection(server.port));
  await Promise.all([health, ...connections].map((connection) => connection.send(readHealth)));
  const lock = opened.adopt(new DatabaseSync(file, { timeout: 10_000 }), (database) => database.close());
  lock.exec("begin immediate");
  const ended = new AbortController();
  const work = async (connection: RawConnection, index: number) => {
    for (let attempt = 0; attempt < options.attempts && !ended.signal.aborted; attempt += 1) {
      const bytes = writeCreate(options, `crowd-${options.bodyEnd.length}-${index}-${attempt}.example.com`, index);
      const answer = await connection.send(bytes).catch((error: Error) => error);
      if (answer instanceof Error) counts.breaches.add(answer.message);
      else if (answer.status === 201) counts.created += 1;
      else if (isRefusal(answer)) counts.refused += 1;
      else counts.breaches.add(`A create was answered with ${answer.status}.`);
      await sleep(retryMs, undefined, ended).catch(() => undefined);
    }
  };
  const all = Promise.all(connections.map(work));
  // Once the first attempts are refused or wait, the server has as many as it admits. Those that wait are validated first.
  const startedAtMs = performance.now();
  for (let before = -1; before !== counts.refused || before === 0; await sleep(100)) {
    if (performance.now() - startedAtMs > maxArrivalMs) break;
    before = counts.refused;
  }
  await health.send(readHealth);
  const during = await probeFor(durationMs, server, read);
  ended.abort();
  lock.exec("rollback");
  await all;
  return { ...counts, during };
}

function writeCreate({ apiKeys, bodyEnd }: Pick<Crowd, "apiKeys" | "bodyEnd">, domain: string, index: number): string {
  const body = `{"domain":"${domain}"${bodyEnd}`;
  const headers = { "content-type": "application/json" };
  const apiKey = apiKeys[index % apiKeys.length];
  return writeRequest({ method: "POST", path: "/api/v1/websites", apiKey, headers, body });
}
