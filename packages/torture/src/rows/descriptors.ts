import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readResidentBytes } from "@siteward/testing/process-tree";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Opens more connections than the server has file descriptors, and closes them again. */
export const descriptors = {
  promise:
    "Without free file descriptors the server serves its open connections, and new ones once descriptors are free.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "floods", default: 6, short: 2 },
  async run(attack) {
    const database = await attack.createDatabase();
    const account = await attack.createAccount(database);
    const violations: string[] = [];
    const counts: Counts = { accepted: 0, served: 0, memoryBytes: 0 };
    let floods = 0;
    for (; floods < attack.rounds && !hasSeenSabotage(attack, violations); floods += 1) {
      const files = attack.random.integer(minFiles, maxFiles);
      const workers = (floods % 2) + 1;
      await using server = await attack.start(database, { wrapper: ["prlimit", `--nofile=${files}`], workers });
      const found = await flood(attack, { server, account, counts });
      violations.push(...found.map((violation) => `${files} files, ${workers} workers: ${violation}`));
    }
    const { accepted, served, memoryBytes } = counts;
    const memory = `${Math.round(memoryBytes / 2 ** 20)} MiB`;
    return { figures: { floods, connections: floods * connections, accepted, served, memory }, violations };
  },
} as const satisfies Row;

interface Counts {
  /** Connections that the server kept open. */
  accepted: number;
  /** Requests answered meanwhile. */
  served: number;
  /** The most memory that a first process used. */
  memoryBytes: number;
}

interface Target {
  readonly server: TargetServer;
  readonly account: Account;
  readonly counts: Counts;
}

/** An idle worker has about 35 files open. */
const minFiles = 64;
const maxFiles = 96;
const connections = 300;
const waveConnections = 20;
const waveMs = 20;
const settleMs = 300;
/** The longest time until a new connection is served again. */
const recoveryMs = 15_000;
const requestTimeoutMs = 5_000;

async function flood(attack: Attack, { server, account, counts }: Target): Promise<string[]> {
  using old = createHttpClient(server.url, { connections: 1 });
  const violations: string[] = [];
  if (!(await isServed(old, account))) return ["The first connection was not served."];
  const sockets = await openSockets(server.port);
  counts.accepted += sockets.filter((socket) => !socket.destroyed).length;
  counts.memoryBytes = Math.max(counts.memoryBytes, readResidentBytes(server.processId));
  // The sabotage: the server dies.
  if (attack.isSabotaged) await server.kill();
  for (let count = 0; count < 10; count += 1) {
    if (await isServed(old, account)) counts.served += 1;
    else violations.push("A connection from before the flood was not served during it.");
  }
  for (const socket of sockets) socket.destroy();
  if (server.hasEnded()) return [...violations, `The server ended: ${server.log().slice(-500)}`];
  if (!(await isServedAgain(server, account)))
    violations.push(`No new connection was served for ${recoveryMs} ms after the flood: ${server.log().slice(-500)}`);
  return violations;
}

/** Opens connections in waves. All at once would use up only the first process's descriptors, not those of its workers. */
async function openSockets(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let wave = 0; wave < connections / waveConnections; wave += 1) {
    for (let count = 0; count < waveConnections; count += 1) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket.resume());
    }
    await sleep(waveMs);
  }
  await sleep(settleMs);
  return sockets;
}

async function isServed(client: HttpClient, { apiKey }: Account): Promise<boolean> {
  const answer = await client
    .send("GET", "/api/v1/websites", { apiKey, timeoutMs: requestTimeoutMs })
    .catch(() => undefined);
  return answer?.status === 200;
}

async function isServedAgain(server: TargetServer, account: Account): Promise<boolean> {
  for (const endMs = Date.now() + recoveryMs; Date.now() < endMs; await sleep(50)) {
    using client = createHttpClient(server.url, { connections: 1 });
    if (await isServed(client, account)) return true;
  }
  return false;
}
