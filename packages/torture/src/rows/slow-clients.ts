import { setTimeout as sleep } from "node:timers/promises";
import { type HttpTarget, startTarget } from "../bare/start-target.ts";
import { createLongWebsites } from "../client/create-long-websites.ts";
import { hasRisen, probeFor, startProbe } from "../client/probe.ts";
import type { Account, Attack, Row } from "../row.ts";
import { readClientPorts } from "../servers/connections.ts";
import { toMegabytes, watchMemory } from "../servers/watch-memory.ts";
import { openSlowClient, type SlowClient } from "../slow/slow-client.ts";
import { type SlowKind, slowKinds } from "../slow/slow-kinds.ts";

/** Connects slow clients of every kind, and counts those that are still connected a minute later. */
export const slowClients = {
  promise: "Slow clients of every kind are disconnected within 60 seconds, and a healthy client does not notice them.",
  engines: ["sqlite"],
  needs: ["linux"],
  // The short form has only the kinds that end early. The server waits 10 to 30 seconds for the others.
  rounds: { unit: "clients", default: 2_500, short: 60 },
  async run(attack) {
    // A client that is refused because too many requests are in progress is not slow: it keeps an idle connection.
    const settings = { SITEWARD_MAX_REQUESTS: "10000" };
    const { server, account } = await startTarget(attack, await attack.createDatabase(), { settings });
    await using _ = server;
    if (!attack.isSabotaged) await createLongWebsites(server.url, account, pageWebsites);
    const health = { path: "/healthz", apiKey: account.apiKey };
    const before = await probeFor(quietMs, server.url, health);
    const probe = startProbe(server.url, health);
    const memory = watchMemory(() => [server.processId]);
    const { opened, left, goneMs } = await wait(attack, { server, account });
    const during = await probe.stop();
    const peak = toMegabytes(memory.stop());
    const violations = left.map(([name, count]) => `${name}: ${count} clients were still connected.`);
    if (hasRisen(during.p99Ms, before.p99Ms)) {
      violations.push(
        `A healthy client waited ${during.p99Ms.toFixed(1)} ms (p99), and ${before.p99Ms.toFixed(1)} before.`,
      );
    }
    if (during.failed > 0) violations.push(`${during.failed} of ${during.count} healthy requests failed.`);
    if (server.hasEnded()) violations.push("The server ended.");
    const p99 = `${before.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms`;
    const disconnected = goneMs === undefined ? "never" : `after ${Math.round(goneMs / 1000)} s`;
    return { figures: { clients: opened, disconnected, "healthy p99": p99, peak: `${peak} MB` }, violations };
  },
} as const satisfies Row;

/** One page. */
const pageWebsites = 10;
const quietMs = 1_500;
/** From this number of clients on, all kinds take part. */
const wholeClients = 100;
const maxStayMs = 60_000;
const maxEarlyStayMs = 5_000;
/** Clients connect over 40 seconds. This row does not test how many pages the server can write in a second. */
const arrivalMs = 16;

interface Target {
  readonly server: HttpTarget;
  readonly account: Account;
}

/** Waits until no client is left, or the time is over. The time starts when the last client has connected. */
async function wait({ rounds }: Attack, { server, account }: Target) {
  const kinds = Object.entries<SlowKind>(slowKinds).filter(([, kind]) => rounds >= wholeClients || kind.endsEarly);
  const clients: SlowClient[] = [];
  const timer = setInterval(() => {
    for (const { tick } of clients) tick();
  }, 1_000);
  for (let index = 0; index < rounds; index += 1) {
    const [name, kind] = kinds[index % kinds.length] ?? [];
    if (name === undefined || kind === undefined) throw new Error("No kind of slow client is defined.");
    clients.push(await openSlowClient(name, kind, { port: server.port, apiKey: account.apiKey }));
    await sleep(arrivalMs);
  }
  const maxMs = rounds >= wholeClients ? maxStayMs : maxEarlyStayMs;
  const startedAtMs = performance.now();
  const findLeft = () => {
    const held = readClientPorts(server.port);
    return clients.filter(({ port, kind, isOpen }) => !kind.isKept && isOpen() && held.has(port));
  };
  let left = findLeft();
  while (left.length > 0 && performance.now() - startedAtMs < maxMs) {
    await sleep(250);
    left = findLeft();
  }
  const goneMs = left.length === 0 ? performance.now() - startedAtMs : undefined;
  clearInterval(timer);
  for (const { end } of clients) end();
  const names = Map.groupBy(left, ({ name }) => name);
  return { opened: clients.length, left: [...names].map(([name, of]) => [name, of.length] as const), goneMs };
}
