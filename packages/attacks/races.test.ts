import { AccountRows } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { startServer } from "@siteward/testing/servers/start-server";
import { openClock } from "@siteward/testing/services/open-clock";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { openRawConnection } from "./support/client/raw-connection.ts";
import { checkOnce, judgeCreate } from "./support/once/judge-creates.ts";
import { isReplay, type KeyedCreate, meaningOf, sendCreate } from "./support/once/keyed-creates.ts";
import { createCarelessService } from "./support/races/careless-service.ts";
import { LimitedKey } from "./support/races/limited-key.ts";
import { atOnce, type Race, websites } from "./support/races/race.ts";
import { raceForRecord } from "./support/races/race-for-record.ts";
import { raceForDomain, raceForLimit, takeTurns } from "./support/races/race-to-create.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";

const websiteLimit = 7;
const cells = engineNames.flatMap((engine) => [1, 2].map((workers) => [engine, workers] as const));

test.for(cells)(
  "however many clients act at once, the answers match some order, and counts, IDs and limits are exact, on %s with %i workers",
  async ([engine, workers]) => {
    await using database = await createDatabase(engine, { isMigrated: true });
    const rows = new AccountRows(database);
    const apiKey = rows.addApiKey(rows.addAccount());
    const limitedKey = rows.addApiKey(rows.addAccount({ websiteLimit }));
    await rows.written();
    await using server = await startServer(database.url, { workers });
    using client = createHttpClient(server.url);
    let requests = 0;
    const send: Race["send"] = (method, path, key, body) => {
      requests += 1;
      return client.send(method, path, { apiKey: key, body });
    };
    const race = { send, apiKey, random: createRandom(seed), name: "" };
    const found: string[] = [];
    for (let round = 0; round < rounds(1); round += 1) {
      const named = { ...race, name: `r${round}` };
      found.push(...(await raceForDomain(named)), ...(await raceForRecord(named)), ...(await takeTurns(named)));
      found.push(...(await raceForLimit({ ...named, apiKey: limitedKey }, websiteLimit)));
    }
    expect([...found, ...(await database.findDamage())]).toEqual([]);
    report({ requests });
  },
);

test("the races for limits, domains and records find a service that decides by what it read before", async () => {
  const race = { send: createCarelessService(websiteLimit), apiKey: "", random: createRandom(seed), name: "careless" };
  expect(await raceForLimit(race, websiteLimit)).not.toEqual([]);
  const unlimited = { ...race, send: createCarelessService(1_000) };
  for (const run of [raceForDomain, raceForRecord, takeTurns]) expect(await run(unlimited), run.name).not.toEqual([]);
});

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
      await atOnce(connections, () => sendCreate({ client, apiKey }, create));
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
  const random = createRandom(seed);
  const [hourMs, count] = [3_600_000, rounds(5)];
  for (let round = 0; round < count; round += 1) {
    const limit = random.pick([3, 6, 12, 30, 60]);
    const key = new LimitedKey(rows.addApiKey(account, { rateLimit: limit }), limit, connections);
    await rows.written();
    expect(await key.findWrongCounts(clock, random.integer(1, 24) * hourMs), `a limit of ${limit}`).toEqual([]);
  }
  report({ keys: count, "jumps of the clock": count * 2 });
});
