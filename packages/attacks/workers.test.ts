import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { type Database, engineNames } from "@siteward/testing/engines/database";
import { isAlive } from "@siteward/testing/process-tree";
import { createRandom } from "@siteward/testing/random";
import { type Account, createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { describe, expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { readStoredWebsites } from "./support/client/stored-websites.ts";
import { Load, untilWell } from "./support/workers/load.ts";
import { canLock, stopWorker } from "./support/workers/stop-worker.ts";

const workers = 4;
const random = createRandom(seed);

describe.skipIf(process.platform !== "linux").for(engineNames)("on %s", (engine) => {
  test("a worker that hangs is replaced", async () => {
    await using database = await createDatabase(engine, { isMigrated: true });
    const account = await createAccount(database.url);
    for (let round = 0; round < rounds(1); round += 1) {
      report({ "recovery after a hung worker": toSeconds(await hangOne(database, account, `hang-${round}`)) });
    }
  });

  test("a storm of kills loses no acknowledged write, refuses no connection and ends in seconds", async () => {
    await using database = await createDatabase(engine, { isMigrated: true });
    const account = await createAccount(database.url);
    for (let round = 0; round < rounds(1); round += 1) report(await killMany(database, account, `storm-${round}`));
  });

  test("no worker outlives the first process", async () => {
    await using database = await createDatabase(engine, { isMigrated: true });
    await using server = await startServer(database.url, { workers });
    await using _load = new Load(server.port, await createAccount(database.url), "primary");
    await sleep(300);
    const ids = server.answeringIds();
    expect(ids).toHaveLength(workers);
    process.kill(server.processId, "SIGKILL");
    const sinceMs = performance.now();
    await expect.poll(() => ids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    await expect.poll(() => isFree(server.port), { timeout: 5_000 }).toBe(true);
    report({ "port free after": toSeconds(performance.now() - sinceMs) });
  });
});

/** The server listens once its first worker does. The others must also listen before one of them is stopped. */
const settleMs = 2_500;
const maxHangMs = 15_000;

/** Stops a worker under load, and returns how long the server needed to recover. */
async function hangOne(database: Database, account: Account, name: string): Promise<number> {
  await using server = await startServer(database.url, { workers });
  await using load = new Load(server.port, account, name);
  await sleep(settleMs);
  const stoppedId = await stopWorker(server, database, random);
  const isWhole = () => !isAlive(stoppedId) && server.answeringIds().length === workers;
  const wellAfterMs = await untilWell(load, maxHangMs, isWhole);
  expect(wellAfterMs, `It is not replaced, or requests still fail: ${load.faults}`).toBeLessThan(maxHangMs);
  expect(database.file === undefined || canLock(database.file, 5_000), "The write lock is free").toBe(true);
  return wellAfterMs;
}

const stormMs = 1_500;
const betweenKillsMs = 50;
const maxWellMs = 5_000;
/** On a busy machine, the start of four workers alone can take longer than `maxWellMs`. */
const maxStarts = 4;

/** Kills random workers faster than they start, and checks what is stored and how fast the server recovers. */
async function killMany(database: Database, account: Account, name: string) {
  const startedAtMs = performance.now();
  await using server = await startServer(database.url, { workers });
  const mayTakeMs = Math.max(maxWellMs, maxStarts * (performance.now() - startedAtMs));
  await using load = new Load(server.port, account, name);
  await sleep(300);
  let kills = 0;
  for (const endMs = performance.now() + stormMs; performance.now() < endMs; await sleep(betweenKillsMs)) {
    const answering = server.answeringIds();
    if (answering.length > 0) kills += kill(random.pick(answering));
  }
  const lost = load.failed;
  const wellAfterMs = await untilWell(load, mayTakeMs, () => server.answeringIds().length === workers);
  expect(wellAfterMs, `Requests fail after the storm: ${load.faults}`).toBeLessThan(mayTakeMs);
  // A client of a worker that is killed loses its answer. No client is refused.
  expect(load.faults).not.toContain("ECONNREFUSED");
  expect(server.hasEnded(), server.log().slice(-500)).toBe(false);
  await load.end();
  const stored = new Set((await readStoredWebsites(database)).map(({ domain }) => domain));
  expect([...load.created].filter((domain) => !stored.has(domain))).toEqual([]);
  expect([...stored].filter((domain) => domain.startsWith(name) && !load.sent.has(domain))).toEqual([]);
  expect(await database.findDamage()).toEqual([]);
  const acknowledged = load.created.size;
  return { kills, "connections lost": lost, acknowledged, "recovery after the storm": toSeconds(wellAfterMs) };
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
