import { readMainThreadMs } from "@siteward/testing/process-tree";
import { startTarget } from "../bare/start-target.ts";
import { openRawConnection, type RawAnswer, type RawConnection } from "../client/raw-connection.ts";
import { listExpensiveRequests } from "../expensive/expensive-requests.ts";
import { maxBytes } from "../expensive/fill.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import { get } from "../raw/raw-case.ts";
import type { Row } from "../row.ts";

/** Sends the most expensive requests one at a time, and measures how long other requests wait meanwhile. */
export const expensiveRequestsRow = {
  promise: "No request of 64 KiB delays other requests by more than 10 ms, whatever it contains.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "tries", default: 20, short: 12 },
  async run(attack) {
    const { server, account } = await startTarget(attack, await attack.createDatabase());
    await using _ = server;
    using attacker = openRawConnection(server.port);
    using healthy = openRawConnection(server.port);
    const requests = listExpensiveRequests().map(([name, bytes]) => ({
      name,
      bytes: Buffer.from(bytes.replace("{key}", account.apiKey), "latin1"),
    }));
    const clients = { attacker, healthy, processId: server.processId };
    for (const { bytes } of requests.slice(0, 5)) await measure(clients, bytes);
    const quietMs = await measureQuiet(healthy);
    const violations: string[] = [];
    let worst = { name: "none", heldMs: 0 };
    for (const { name, bytes } of requests) {
      const { heldMs, answer } = await tryRequest(clients, { bytes, tries: attack.rounds, quietMs });
      if (heldMs > worst.heldMs) worst = { name, heldMs };
      violations.push(...judgeAnswer(answer).map((fault) => `${name}: ${fault}`));
      if (heldMs > maxHeldMs) violations.push(`${name}: delayed other requests by ${heldMs.toFixed(1)} ms.`);
      if (hasSeenSabotage(attack, violations)) break;
    }
    if (server.hasEnded()) violations.push("The server ended.");
    const longest = `${worst.heldMs.toFixed(1)} ms (${worst.name})`;
    return { figures: { requests: requests.length, longest }, violations };
  },
} as const satisfies Row;

/** It must be an answer to a body that was read, and at most as large as a body may be. */
function judgeAnswer(answer: RawAnswer | undefined): string[] {
  if (answer === undefined) return ["the answer was missing."];
  const { status, text } = answer;
  const isRead = status < 500 && status !== 413;
  const isSmall = text.length <= maxBytes;
  return [
    ...(isRead ? [] : [`the answer was ${status}.`]),
    ...(isSmall ? [] : [`the answer had ${text.length} characters.`]),
  ];
}

/** Twice the promise: the same request took 4 ms on a quiet machine and 10.5 ms on a busy one that was half as fast. */
const maxHeldMs = 20;
/** The first tries of each request run code that V8 has not compiled yet. */
const minTries = 3;
/** Other work on the machine does not explain a time above this. */
const hopelessMs = 3 * maxHeldMs;

interface Clients {
  readonly attacker: RawConnection;
  readonly healthy: RawConnection;
  readonly processId: number;
}

interface Try {
  readonly bytes: Uint8Array;
  readonly tries: number;
  readonly quietMs: number;
}

/**
 * The machine has other work as well. Of each try, only the time counts in which the main thread had a core; of several
 * tries, the shortest counts. Stops once that is within the limit.
 */
async function tryRequest(clients: Clients, { bytes, tries, quietMs }: Try) {
  let heldMs = Number.POSITIVE_INFINITY;
  let answer: RawAnswer | undefined;
  for (let count = 0; count < tries; count += 1) {
    if (count >= minTries && (heldMs <= maxHeldMs || heldMs > hopelessMs)) break;
    const tried = await measure(clients, bytes);
    answer = tried.answer;
    heldMs = Math.min(heldMs, Math.max(0, tried.longestMs - quietMs), tried.workedMs);
  }
  return { heldMs, answer };
}

/** Measures the longest time that a healthy client waits while the request is in progress. */
async function measure({ attacker, healthy, processId }: Clients, bytes: Uint8Array) {
  const workedBeforeMs = readMainThreadMs(processId);
  let isAnswered = false;
  const sent = attacker
    .send(bytes)
    .catch(() => undefined)
    .finally(() => {
      isAnswered = true;
    });
  let longestMs = 0;
  while (!isAnswered) longestMs = Math.max(longestMs, await measureHealth(healthy));
  return { answer: await sent, longestMs, workedMs: readMainThreadMs(processId) - workedBeforeMs };
}

async function measureQuiet(healthy: RawConnection): Promise<number> {
  const timesMs: number[] = [];
  for (let count = 0; count < 200; count += 1) timesMs.push(await measureHealth(healthy));
  return percentile(timesMs, 50);
}

const health = get("/healthz");

async function measureHealth(healthy: RawConnection): Promise<number> {
  const startedAtMs = performance.now();
  await healthy.send(health);
  return performance.now() - startedAtMs;
}
