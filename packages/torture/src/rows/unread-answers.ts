import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpTarget, startTarget } from "../bare/start-target.ts";
import { createLongWebsites } from "../client/create-long-websites.ts";
import { openGreedySocket } from "../client/greedy-socket.ts";
import { type Probed, startProbe } from "../client/probe.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { exchange } from "../raw/exchange.ts";
import { get, keyed } from "../raw/raw-case.ts";
import type { Attack, Row } from "../row.ts";
import { toMegabytes, waitForMemory, watchMemory } from "../servers/watch-memory.ts";

/** Requests far more than it reads: small answers without a key, and long pages with a key. */
export const unreadAnswers = {
  promise:
    "Clients that do not read their answers use little memory and delay nobody, and the memory is freed afterwards.",
  engines: ["sqlite"],
  needs: ["linux"],
  rounds: { unit: "sockets", default: 25, short: 4 },
  async run(attack) {
    const { server, account } = await startTarget(attack, await attack.createDatabase());
    await using _ = server;
    if (!attack.isSabotaged) await createLongWebsites(server.url, account, longPageWebsites);
    const violations: string[] = [];
    const figures: Record<string, number | string> = { sockets: attack.rounds };
    for (const [name, unread] of Object.entries(attacksOf(attack, account.apiKey))) {
      const timeoutMs = attack.isSabotaged ? stayMs : backTimeoutMs;
      const left = await leaveUnread(server, unread, timeoutMs);
      figures[name] = `${toMegabytes(left.peakBytes)} MB and p99 ${Math.round(left.probed.p99Ms)} ms`;
      violations.push(...judge(left, unread.maxBytes).map((breach) => `${name}: ${breach}`));
      if (server.hasEnded()) violations.push(`${name}: the server ended.`);
      if (hasSeenSabotage(attack, violations)) break;
    }
    violations.push(...(await pipeline(server, account.apiKey)));
    return { figures, violations };
  },
} as const satisfies Row;

/** An idle server uses 90 to 110 MB. Each socket can have 64 KiB of requests read and one answer of 30 kB waiting. */
const maxSmallBytes = 200e6;
/**
 * 64 MiB of unread answers more than that. While a page of 1.8 MB is written, its records and its string also use memory, until
 * the next garbage collection.
 */
const maxLongBytes = 360e6;
const backTimeoutMs = 30_000;
/** An idle process collects its last garbage late: once, it still had more than 200 MB after 30 s. */
const maxFreedBytes = 250e6;
/** It is 50 ms on a machine without other work. */
const maxP99Ms = 500;
/** How long the clients stay. By then the server has read all that it will read. */
const stayMs = 1_000;
const smallRequests = 1_500;
/** The largest page: 1.8 MB. */
const longPageWebsites = 100;
/** A page takes 20 to 30 ms to write. The pause keeps the server from being busy, since this row tests only its memory. */
const pagePauseMs = 60;

interface UnreadAttack {
  readonly maxBytes: number;
  /** What each connection sends. */
  readonly requests: readonly string[];
  /** The time between two connections. */
  readonly pauseMs: number;
}

function attacksOf({ rounds }: Attack, apiKey: string): Record<string, UnreadAttack> {
  const long = get(`/api/v1/websites?per_page=${longPageWebsites}`, keyed.replace("{key}", apiKey));
  const repeat = (text: string, count: number) => Array.from({ length: count }, () => text);
  return {
    "small answers": {
      maxBytes: maxSmallBytes,
      requests: repeat(get("/openapi.json").repeat(smallRequests), rounds),
      pauseMs: 0,
    },
    "too many long pages on one connection": {
      maxBytes: maxLongBytes,
      requests: [long.repeat(rounds * 16)],
      pauseMs: 0,
    },
    "32 long pages on one connection": { maxBytes: maxLongBytes, requests: [long.repeat(32)], pauseMs: 0 },
    "one long page on each connection": {
      maxBytes: maxLongBytes,
      requests: repeat(long, rounds * 8),
      pauseMs: pagePauseMs,
    },
  };
}

interface Unread {
  readonly peakBytes: number;
  readonly probed: Probed;
  /** When the memory was freed; undefined if it was not. */
  readonly backMs: number | undefined;
}

async function leaveUnread(
  server: HttpTarget,
  { requests, pauseMs }: UnreadAttack,
  timeoutMs: number,
): Promise<Unread> {
  const processIds = () => [server.processId];
  const memory = watchMemory(processIds);
  const probe = startProbe(server.url, { path: "/healthz" });
  const sockets: Socket[] = [];
  for (const bytes of requests) {
    sockets.push(openGreedySocket(server.port, bytes));
    if (pauseMs > 0) await sleep(pauseMs);
  }
  await sleep(stayMs);
  const probed = await probe.stop();
  for (const socket of sockets) socket.destroy();
  const peakBytes = memory.stop();
  const backMs = await waitForMemory(processIds, { bytes: maxFreedBytes, timeoutMs });
  return { peakBytes, probed, backMs };
}

function judge({ peakBytes, probed, backMs }: Unread, maxBytes: number): string[] {
  const breaches: string[] = [];
  if (peakBytes > maxBytes)
    breaches.push(`the server used ${toMegabytes(peakBytes)} MB, more than ${toMegabytes(maxBytes)} MB.`);
  if (probed.failed > 0) breaches.push(`${probed.failed} of ${probed.count} healthy requests failed.`);
  if (probed.p99Ms > maxP99Ms) breaches.push(`/healthz took ${Math.round(probed.p99Ms)} ms (p99).`);
  if (backMs === undefined) breaches.push("the memory was not freed in time.");
  return breaches;
}

/** A client that reads its answers can still send ten requests at a time. */
async function pipeline({ port }: HttpTarget, apiKey: string): Promise<string[]> {
  const ids = Array.from({ length: 10 }, (_, index) => `r${index}`);
  const requests = ids.map((id, index) =>
    get(index % 2 === 0 ? "/healthz" : "/api/v1/websites", keyed.replace("{key}", apiKey), `X-Request-Id: ${id}`),
  );
  const { answers } = await exchange({ port, pieces: [requests.join("")], count: ids.length, after: "silence" });
  const got = answers.map(({ status, headers }) => `${status} ${headers.get("x-request-id")}`);
  const wanted = ids.map((id) => `200 ${id}`);
  return got.join() === wanted.join() ? [] : [`Ten requests at a time were answered with ${got.join(", ")}.`];
}
