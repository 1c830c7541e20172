import { setTimeout as sleep } from "node:timers/promises";
import { startTarget } from "../bare/start-target.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { hasRisen, type Probed, probeFor } from "../client/probe.ts";
import type { RawAnswer } from "../client/raw-connection.ts";
import { chooseRequest, type LoadRequest } from "../overload/choose-request.ts";
import type { Account, Attack, Row } from "../row.ts";
import { toMegabytes, watchMemory } from "../servers/watch-memory.ts";

/** Keeps ten times as many requests in progress as the server needs to be busy. */
export const overload = {
  promise: "Under ten times its capacity, the server answers or refuses every request, and recovers within 5 seconds.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "seconds", default: 15, short: 2 },
  async run(attack) {
    const { server, account } = await startTarget(attack, await attack.createDatabase());
    await using _ = server;
    const health = { path: "/api/v1/account", apiKey: account.apiKey };
    const quiet = await probeFor(quietMs, server.url, health);
    const memory = watchMemory(() => [server.processId]);
    const load: Load = { answered: 0, refused: 0, lost: new Map(), breaches: new Map() };
    await press(attack, server.url, account, load);
    const peakBytes = memory.stop();
    const violations = [...load.breaches].map(([breach, count]) => `${breach} (${count} times)`);
    const peak = `${toMegabytes(peakBytes)} MB`;
    for (const [reason, count] of load.lost) violations.push(`${count} requests had no answer: ${reason}.`);
    if (peakBytes > maxBytes) violations.push(`The server used ${peak}.`);
    if (server.hasEnded()) violations.push("The server ended.");
    const after = await waitForQuiet(server.url, health, quiet);
    if (after === undefined) violations.push(`The latency had not recovered after ${recoveryMs} ms.`);
    const { answered, refused } = load;
    const p99 = `${quiet.p99Ms.toFixed(1)} → ${after?.p99Ms.toFixed(1) ?? "too many"} ms`;
    const figures = { seconds: attack.rounds, connections, answered, refused, peak, "p99 after": p99 };
    return { figures, violations };
  },
} as const satisfies Row;

/** The server reaches its highest throughput with about 64 requests in progress. */
const connections = 640;
/** An idle server uses 90 to 110 MB, and each request a few hundred kilobytes. Measured peaks were 270 to 390 MB. */
const maxBytes = 512e6;
const quietMs = 1_500;
const recoveryMs = 5_000;
const windowMs = 800;

interface Load {
  answered: number;
  refused: number;
  /** How many requests had no answer, by the client's error message. */
  readonly lost: Map<string, number>;
  readonly breaches: Map<string, number>;
}

async function press({ random, rounds }: Attack, url: string, { apiKey }: Account, load: Load): Promise<void> {
  using client = createHttpClient(url, { connections });
  // Node accepts one connection in each turn of its event loop, and a turn takes about 10 ms while the server is busy. If the
  // connections were not open before, the last would wait for 6 seconds.
  await Promise.all(Array.from({ length: connections }, () => client.send("GET", "/healthz")));
  const endMs = performance.now() + rounds * 1_000;
  const work = async (index: number) => {
    const choices = random.fork(`load ${index}`);
    while (performance.now() < endMs) await send(client, chooseRequest(choices, apiKey), load);
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
}

async function send(
  client: HttpClient,
  { method, path, expected, ...request }: LoadRequest,
  load: Load,
): Promise<void> {
  const answer = await client.send(method, path, request).catch((error: Error) => error);
  if (answer instanceof Error) {
    const lost = `${method} ${path.replace(/\d+$/, "…")}: ${answer.message}`;
    load.lost.set(lost, (load.lost.get(lost) ?? 0) + 1);
  } else if (expected.includes(answer.status)) load.answered += 1;
  else if (isRefusal(answer)) load.refused += 1;
  else {
    const breach = `${method} ${path.replace(/\d+$/, "…")} was answered with ${answer.status}`;
    load.breaches.set(breach, (load.breaches.get(breach) ?? 0) + 1);
  }
}

/** The only other answer that a busy server may send. */
function isRefusal({ status, headers }: RawAnswer): boolean {
  return (status === 503 || status === 429) && headers.has("retry-after");
}

async function waitForQuiet(url: string, health: { path: string; apiKey: string }, quiet: Probed) {
  const endMs = performance.now() + recoveryMs;
  while (performance.now() < endMs) {
    const probed = await probeFor(windowMs, url, health);
    if (probed.failed === 0 && !hasRisen(probed.p99Ms, quiet.p99Ms)) return probed;
    await sleep(100);
  }
  return undefined;
}
