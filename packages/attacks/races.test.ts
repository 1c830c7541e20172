import { AccountRows } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { startServer } from "@siteward/testing/servers/start-server";
import { openClock } from "@siteward/testing/services/open-clock";
import { startServerService } from "@siteward/testing/services/server-service";
import { expect, test } from "vitest";
import { atTheSameTime } from "../e2e/test/guarantees/at-the-same-time.ts";
import { Caller } from "../e2e/test/guarantees/caller.ts";
import { report, rounds, seed } from "./support/attack.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { openRawConnection } from "./support/client/raw-connection.ts";
import { writeRequest } from "./support/client/write-request.ts";
import { checkOnce, judgeCreate } from "./support/once/judge-creates.ts";
import { isReplay, type KeyedCreate, meaningOf, sendCreate } from "./support/once/keyed-creates.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";

const websites = "/api/v1/websites";

// `pnpm test guarantees` tries the same with one process.
test.for(engineNames)(
  "however many clients act at once, the answers match some order, and counts, IDs and limits are exact, on %s with 2 workers",
  async (engine) => {
    await using service = await startServerService(engine, 2);
    const guarantees = Object.values(atTheSameTime);
    for (let round = 0; round < rounds(1); round += 1) {
      await Promise.all(guarantees.map((guarantee) => guarantee(new Caller(service), service)));
    }
    expect(await service.database.findDamage()).toEqual([]);
    report({ guarantees: guarantees.length, rounds: rounds(1) });
  },
);

test.for(engineNames)(
  "a create that is sent at once with one idempotency key is done once, and each other answer is an equal replay or a 409, on %s",
  async (engine) => {
    const connections = 32;
    await using database = await createTwoAccounts(engine);
    const { apiKey } = database.account;
    await using server = await startServer(database.url, { workers: 2 });
    using client = createHttpClient(server.url, { connections });
    const creates: KeyedCreate[] = [];
    for (let round = 0; round < rounds(8); round += 1) {
      const domain = `round-${round}.example.com`;
      // Some of them hash a password, which takes long, and some find the domain taken.
      const protection = round % 8 === 3 ? { privacy: 2, password: "correct horse" } : {};
      const outcome = round % 8 === 5 ? "domain_taken" : "created";
      if (outcome === "domain_taken") await client.send("POST", websites, { apiKey, body: { domain } });
      const create: KeyedCreate = { key: `round-${round}`, body: { domain, ...protection }, answers: [] };
      await Promise.all(Array.from({ length: connections }, () => sendCreate({ client, apiKey }, create)));
      const last = await sendCreate({ client, apiKey }, create);
      expect(judgeCreate(create, outcome)).toEqual([]);
      // No connection is lost here, so every request is answered, and the last one with a replay.
      expect(create.answers).toHaveLength(connections + 1);
      expect(last && isReplay(last), last?.text).toBe(true);
      creates.push(create);
    }
    expect(await checkOnce(database, creates)).toEqual([]);
    const answers = creates.flatMap((create) => create.answers);
    const inProgress = answers.filter((answer) => meaningOf(answer) === "idempotency_in_progress").length;
    report({ requests: answers.length, replays: answers.filter(isReplay).length, "in progress": inProgress });
  },
);

test("with workers, a key gets its limit and no more, and a clock that jumps changes nothing", async () => {
  await using database = await createDatabase("sqlite", { isMigrated: true });
  using clock = openClock();
  await using server = await startServer(database.url, { workers: 2, settings: clock.settings });
  const rows = new AccountRows(database, clock.nowMs);
  const account = rows.addAccount();
  using opened = new DisposableStack();
  // The workers get connections in turn.
  const connections = Array.from({ length: 8 }, () => opened.use(openRawConnection(server.port)));
  /** Sends requests over all connections at once, until each has been refused. Returns how many were not. */
  const useUp = async (apiKey: string, limit: number) => {
    const bytes = writeRequest({ method: "GET", path: "/api/v1/account", apiKey });
    let passed = 0;
    const send = async (connection: (typeof connections)[number]) => {
      while (passed <= limit && (await connection.send(bytes)).status === 200) passed += 1;
    };
    await Promise.all(connections.map(send));
    return passed;
  };
  const random = createRandom(seed);
  // A minute fills a bucket that is empty.
  const [minuteMs, hourMs, count] = [60_000, 3_600_000, rounds(5)];
  for (let round = 0; round < count; round += 1) {
    const limit = random.pick([3, 6, 12, 30, 60]);
    const apiKey = rows.addApiKey(account, { rateLimit: limit });
    await rows.written();
    const jumpMs = random.integer(1, 24) * hourMs;
    for (const advanceMs of [minuteMs, jumpMs, -jumpMs, minuteMs]) {
      clock.advance(advanceMs);
      const most = advanceMs < 0 ? 0 : limit;
      const granted = await useUp(apiKey, limit);
      expect(granted, `with a limit of ${limit} after ${advanceMs} ms`).toBeLessThanOrEqual(most);
      // What one worker holds in advance, and gives back within a second or two, another one cannot grant.
      expect(granted).toBeGreaterThanOrEqual(most - Math.ceil(most / 4));
    }
  }
  report({ keys: count, "jumps of the clock": count * 2 });
});
