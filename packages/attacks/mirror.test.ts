import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { openClock } from "@siteward/testing/services/open-clock";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { readStoredWebsites } from "./support/client/stored-websites.ts";
import { runWriters } from "./support/client/writers.ts";
import { Follower } from "./support/mirror/follower.ts";

const random = createRandom(seed);
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
    // Their clocks stand still, each at another time.
    const start = async () => {
      const clock = started.use(openClock());
      clock.advance(random.integer(-maxShiftMs, maxShiftMs));
      return started.use(await startServer(database.url, { settings: clock.settings }));
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
