import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { readStoredWebsites } from "./support/client/stored-websites.ts";
import { runWriters } from "./support/client/writers.ts";
import { openSmallDisk } from "./support/disk/small-disk.ts";
import { type MirrorWorld, mirrorFaults } from "./support/mirror/faults.ts";
import { startFaultyProxy } from "./support/mirror/faulty-proxy.ts";
import { Follower } from "./support/mirror/follower.ts";
import { MirroringProcess } from "./support/mirror/mirroring-process.ts";
import { Watch } from "./support/mirror/watch.ts";
import { WrittenTruth } from "./support/mirror/written-truth.ts";

const random = createRandom(seed);
const clockModule = new URL("./support/mirror/shifted-clock.ts", import.meta.url).href;
const maxShiftMs = 2 * 3_600_000;
/** More would only make the comparison with the mirror longer. */
const maxAcknowledged = 300;
const loadMs = 1_500;

test.for(engineNames)(
  "whoever follows the changes of an account misses none, and never goes back, whatever the clocks of the servers say, and if they " +
    "are killed, on %s",
  async (engine) => {
    await using database = await createDatabase(engine, { isMigrated: true });
    const account = await createAccount(database.url);
    const log = createClientLog();
    await using started = new AsyncDisposableStack();
    const start = async () => {
      const shiftMs = random.integer(-maxShiftMs, maxShiftMs);
      const settings = { NODE_OPTIONS: `--import=${clockModule}`, SHIFTED_CLOCK_MS: String(shiftMs) };
      return started.use(await startServer(database.url, { settings }));
    };
    const pair = [await start(), await start()];
    // Each request goes to any of them, as from a load balancer without health checks.
    await using follower = await Follower.start(account.apiKey, (url, init) => {
      const { pathname, search } = new URL(url);
      return fetch(`${random.pick(pair).url}${pathname}${search}`, init);
    });
    const kills = rounds(2);
    for (let round = 0; round < kills; round += 1) {
      let isDone = false;
      const isOver = () => isDone;
      const writing = pair.map(async ({ url }, index) => {
        using client = createHttpClient(url);
        const load = { client, accounts: [account], writers: 32, random, log };
        await runWriters({ ...load, name: `round-${round}-${index}`, isDone: isOver });
      });
      const enough = log.counts.acknowledged + random.integer(1, maxAcknowledged);
      for (const endMs = Date.now() + loadMs; log.counts.acknowledged < enough && Date.now() < endMs; ) await sleep(1);
      const killed = random.integer(0, 1);
      await pair[killed]?.kill();
      // The writers of the other server continue, and the mirror with them.
      await sleep(random.integer(0, 50));
      isDone = true;
      await Promise.all(writing);
      pair[killed] = await start();
      const stored = await readStoredWebsites(database);
      expect([...log.check(stored), ...(await follower.check(stored))]).toEqual([]);
    }
    const { acknowledged, unknown } = log.counts;
    report({ kills, acknowledged, unknown, ...follower.counts });
  },
);

/** What every fault must lead to, except for those that are over sooner than a mirror asks. */
const reported = ["connection_failed", "unauthenticated", "unexpected_response", "file_not_written"];

test.skipIf(process.platform !== "linux")(
  "whatever fails, a mirror serves websites that were true at its lastSyncAt or later, leaves none out, continues by itself, and uses " +
    "no more memory",
  async () => {
    await using started = new AsyncDisposableStack();
    const world = await startWorld(started);
    const watch = new Watch(world);
    await watch.untilSynced();
    const faults = rounds(mirrorFaults.length);
    for (let round = 0; round < faults; round += 1) {
      const [name, fail] = mirrorFaults[round % mirrorFaults.length] ?? ["", () => Promise.resolve()];
      await watch.during(name, fail);
    }
    if (faults >= mirrorFaults.length) expect([...watch.errors]).toEqual(expect.arrayContaining(reported));
    // Not every change of a character breaks a file.
    if (faults >= longRounds) expect([...watch.errors]).toContain("file_broken");
    const { acknowledged } = world.truth;
    report({ faults, looks: watch.looks, acknowledged, "kinds of errors": watch.errors.size, heap: watch.heap });
  },
);

const writePauseMs = 20;
const diskBytes = 4 * 1024 * 1024;
/** With so many rounds, each fault lasts as long as in an hour of 180. */
const longRounds = 60;
const [shortFaultMs, longFaultMs] = [300, 15_000];

/** Starts what is made to fail. Everything ends with `started`. */
async function startWorld(started: AsyncDisposableStack): Promise<MirrorWorld> {
  const database = started.use(await createDatabase("sqlite", { isMigrated: true }));
  const { apiKey } = await createAccount(database.url);
  let server = started.use(await startServer(database.url));
  const { port } = server;
  const restartServer = async () => {
    await server.kill();
    server = started.use(await startServer(database.url, { port }));
  };
  const proxy = started.use(await startFaultyProxy(server.url, random.fork("proxy")));
  const disk = started.use(openSmallDisk(diskBytes));
  const faultMs = rounds(0) >= longRounds ? longFaultMs : shortFaultMs;
  const open = (name: string) =>
    started.use(
      new MirroringProcess({ url: proxy.url, apiKey, file: join(disk.folder, name), intervalMs: faultMs / 5 }),
    );
  const [steady, restarted] = [open("steady"), open("restarted")];
  const truth = new WrittenTruth();
  const client = started.use(createHttpClient(server.url, { connections: 1 }));
  const writes = random.fork("writes");
  let isDone = false;
  const writing = (async () => {
    for (; !isDone; await sleep(writePauseMs)) await truth.write(client, apiKey, writes);
  })();
  started.defer(async () => {
    isDone = true;
    await writing;
  });
  return { truth, proxy, steady, restarted, disk, random, faultMs, restartServer };
}
