import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { type Database, engineNames } from "@siteward/testing/engines/database";
import { isAlive } from "@siteward/testing/process-tree";
import { createRandom } from "@siteward/testing/random";
import { openConnection } from "@siteward/testing/raw-connection";
import { type Account, createAccount } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";
import { beforeEach, describe, expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { checkStored } from "./support/client/check-stored.ts";
import { type ClientLog, createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { probeFor } from "./support/client/probe.ts";
import { runWriters } from "./support/client/writers.ts";
import { canLock, stopWorker } from "./support/stop-worker.ts";

const workers = 4;
const random = createRandom(seed);
/** The longest recoveries. On a busy machine, a few starts of four workers take longer. */
const [maxHangMs, maxStormMs, maxStarts] = [15_000, 5_000, 8];
const stormMs = 1_500;
const betweenKillsMs = 50;

describe.skipIf(process.platform !== "linux").for(engineNames)("on %s", (engine) => {
  let database: Database;
  let account: Account;
  beforeEach(async () => {
    database = await createDatabase(engine, { isMigrated: true });
    account = await createAccount(database.url);
    return () => database[Symbol.asyncDispose]();
  });

  test("a worker that hangs is replaced", async () => {
    for (let round = 0; round < rounds(1); round += 1) {
      await using attacked = await startUnderLoad(database, account, `hang-${round}`);
      const { server, startMs } = attacked;
      const stoppedId = await stopWorker(server, database, random);
      const tookMs = await untilWell(server, account, Math.max(maxHangMs, maxStarts * startMs));
      expect(isAlive(stoppedId)).toBe(false);
      expect(database.file === undefined || canLock(database.file, 5_000), "The write lock is free").toBe(true);
      report({ "recovery after a hung worker": toSeconds(tookMs) });
    }
  });

  test("a storm of kills loses no acknowledged write, refuses no connection and ends in seconds", async () => {
    for (let round = 0; round < rounds(1); round += 1) {
      await using attacked = await startUnderLoad(database, account, `storm-${round}`);
      const { server, startMs, log } = attacked;
      let kills = 0;
      for (const endMs = performance.now() + stormMs; performance.now() < endMs; await sleep(betweenKillsMs)) {
        const answering = server.answeringIds();
        if (answering.length > 0) kills += kill(random.pick(answering));
        (await openConnection(server.url)).on("error", () => {}).destroy();
      }
      const tookMs = await untilWell(server, account, Math.max(maxStormMs, maxStarts * startMs));
      expect(server.hasEnded(), server.log().slice(-500)).toBe(false);
      await attacked.end();
      using client = createHttpClient(server.url);
      expect(await checkStored({ database, log, client, accounts: [account] })).toEqual([]);
      report({ kills, ...log.counts, "recovery after the storm": toSeconds(tookMs) });
    }
  });

  test("no worker outlives the first process", async () => {
    await using attacked = await startUnderLoad(database, account, "primary");
    const { server, startMs } = attacked;
    const timeout = Math.max(maxStormMs, maxStarts * startMs);
    const ids = server.answeringIds();
    process.kill(server.processId, "SIGKILL");
    const sinceMs = performance.now();
    await expect.poll(() => ids.filter(isAlive), { timeout }).toEqual([]);
    await expect.poll(() => isFree(server.port), { timeout }).toBe(true);
    report({ "port free after": toSeconds(performance.now() - sinceMs) });
  });
});

interface Attacked extends AsyncDisposable {
  readonly server: TargetServer;
  /** How long its start took. */
  readonly startMs: number;
  readonly log: ClientLog;
  /** Ends the load. */
  readonly end: () => Promise<unknown>;
}

const writers = 8;
/** The server listens once its first worker does. The others must also listen before one of them is stopped. */
const settleMs = 2_500;

/** Starts a server that is written all the time, also after connections are lost. */
async function startUnderLoad(database: Database, account: Account, name: string): Promise<Attacked> {
  const startedAtMs = performance.now();
  const server = await startServer(database.url, { workers });
  const startMs = performance.now() - startedAtMs;
  const client = createHttpClient(server.url);
  const log = createClientLog();
  let isDone = false;
  const write = async (_: unknown, index: number) => {
    const load = { client, accounts: [account], writers: 1, random, log, isDone: () => isDone };
    for (let part = 0; !isDone; part += 1) {
      await runWriters({ ...load, name: `${name}-${index}-${part}` });
      await sleep(50);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  const end = () => {
    isDone = true;
    return writing;
  };
  await sleep(settleMs);
  return {
    server,
    startMs,
    log,
    end,
    async [Symbol.asyncDispose]() {
      const ending = end();
      await server.kill();
      await ending;
      client[Symbol.dispose]();
    },
  };
}

const calmMs = 1_000;
/** A request that takes longer than this hangs. */
const hangMs = 2_000;
/** Two for each worker, each with a connection of its own. */
const probes = 2 * workers;

/** Waits until all workers are there, and no request fails or hangs for a second. Returns how long that took. */
async function untilWell(server: TargetServer, { apiKey }: Account, maxMs: number): Promise<number> {
  for (const sinceMs = performance.now(); ; ) {
    const tookMs = performance.now() - sinceMs;
    expect(tookMs, "Workers are missing, or requests fail").toBeLessThan(maxMs);
    const probe = () => probeFor(calmMs, server.url, { path: "/api/v1/websites", apiKey });
    const probed = await Promise.all(Array.from({ length: probes }, probe));
    const isCalm = probed.every(({ failed, p99Ms }) => failed === 0 && p99Ms < hangMs);
    if (isCalm && server.answeringIds().length === workers) return tookMs;
  }
}

/** Returns how many it killed. */
function kill(processId: number): number {
  try {
    process.kill(processId, "SIGKILL");
    return 1;
  } catch {
    // It has just ended.
    return 0;
  }
}

async function isFree(port: number): Promise<boolean> {
  const listener = createServer();
  return await new Promise<boolean>((resolve) => {
    listener.once("error", () => resolve(false));
    listener.listen({ host: "127.0.0.1", port }, () => listener.close(() => resolve(true)));
  });
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
