import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { type Database, engineNames } from "@siteward/testing/engines/database";
import { createRandom, type Random } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";
import { describe, expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { checkStored } from "./support/client/check-stored.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { runWriters, type WritersOptions, writesAgain } from "./support/client/writers.ts";
import { checkOnce, judgeCreate } from "./support/once/judge-creates.ts";
import { type KeyedCreate, runCreates, type Sender, settleCreates } from "./support/once/keyed-creates.ts";
import { percentile } from "./support/percentile.ts";
import { checkTrail } from "./support/trail/check-trail.ts";

describe.for(engineNames)("on %s", (engine) => {
  test(
    "an acknowledged write survives kill -9, no ID is used twice, no creation date goes backwards, and the audit trail gives the " +
      "same records when it is replayed",
    async () => {
      await using database = await createDatabase(engine, { isMigrated: true });
      const { figures, violations } = await killUnderLoad(database, rounds(4));
      expect(violations).toEqual([]);
      report(figures);
    },
  );

  test("a create with an idempotency key that a kill cuts off gets its first answer at the retry, or is done once", async () => {
    await using database = await createDatabase(engine, { isMigrated: true });
    const { apiKey } = await createAccount(database.url);
    const random = createRandom(seed);
    const all: KeyedCreate[] = [];
    const counts = { creates: 0, "stored without an answer": 0, "created by a retry": 0 };
    const kills = rounds(3);
    let cutOff: readonly KeyedCreate[] = [];
    // The last round retries what the round before it left, and kills nothing.
    for (let round = 0; round <= kills; round += 1) {
      await using server = await startServer(database.url, { workers: random.integer(1, 2), settings: samePlace });
      using client = createHttpClient(server.url);
      await settleCreates({ client, apiKey }, cutOff, counts);
      expect(cutOff.flatMap((create) => judgeCreate(create, "created"))).toEqual([]);
      all.push(...cutOff);
      const answers = random.integer(1, 100);
      if (round < kills)
        cutOff = await createUntilKilled({ client, apiKey }, server, { name: `kill-${round}`, answers });
    }
    expect(await checkOnce(database, all)).toEqual([]);
    report({ kills, ...counts });
  });
});

test("a server is found out that loses an acknowledged write or an entry of an audit trail", async () => {
  await using database = await createDatabase("sqlite", { isMigrated: true });
  const lose = async () => {
    await database.query("delete from websites where account_id = 1");
    await database.query("update accounts set website_count = 0 where id = 1");
    const oldest = "(select min(id) from websites where account_id = 2)";
    await database.query(`delete from audit_entries where account_id = 2 and subject_id = ${oldest}`);
  };
  const { violations } = await killUnderLoad(database, 1, lose);
  const found = [
    expect.stringMatching(/example\.com should be at \d+, but is absent/),
    expect.stringMatching(/^The trail of account 1 gives \{.* but the engine stores nothing/),
    expect.stringMatching(/^The trail of account 2 gives nothing .* but the engine stores \{/),
  ];
  expect(violations).toEqual(expect.arrayContaining(found));
});

const writers = 64;
/** How many writes are acknowledged before the kill, unless a slow machine needs too long for them. */
const [minAcknowledged, maxAcknowledged] = [32, 400];
const loadMs = 10_000;

/**
 * Kills the server, or its first process, or workers, under load, and checks what is stored. The first half of the rounds use one
 * process, the second half workers.
 *
 * @param lose breaks what is stored, after each kill
 */
async function killUnderLoad(database: Database, kills: number, lose = async () => {}) {
  const random = createRandom(seed);
  const accounts = [await createAccount(database.url), await createAccount(database.url)];
  const log = createClientLog();
  const restartsMs: number[] = [];
  const violations: string[] = [];
  // The last round checks what the round before it left, and kills nothing.
  for (let round = 0; round <= kills; round += 1) {
    const startedAtMs = performance.now();
    await using server = await startServer(database.url, { workers: round < kills / 2 ? 1 : 2 });
    restartsMs.push(performance.now() - startedAtMs);
    using client = createHttpClient(server.url);
    // The server has recovered its files by itself, as it must after a crash.
    violations.push(...(await checkStored({ database, log, url: server.url, accounts })));
    if (round === kills) break;
    await writeAndKill(server, { client, accounts, writers, random, log, name: `round-${round}` });
    await lose();
  }
  const trails = await Promise.all(accounts.map(({ id }) => checkTrail(database, id)));
  const { acknowledged, unknown } = log.counts;
  const replayed = trails.reduce((sum, { entries }) => sum + entries, 0);
  const restart = `${Math.round(percentile(restartsMs, 99))} ms`;
  const figures = { kills, acknowledged, unknown, "entries replayed": replayed, "restart p99": restart };
  return { figures, violations: [...violations, ...trails.flatMap((trail) => trail.violations)] };
}

async function writeAndKill(server: TargetServer, load: Omit<WritersOptions, "isDone">): Promise<void> {
  const { log, random } = load;
  let isDone = false;
  const writing = runWriters({ ...load, isDone: () => isDone });
  const enough = log.counts.acknowledged + random.integer(minAcknowledged, maxAcknowledged);
  for (const endMs = Date.now() + loadMs; log.counts.acknowledged < enough && Date.now() < endMs; ) await sleep(1);
  await sleep(random.integer(0, 20));
  await killSome(server, random);
  // Writers whose worker was not killed continue until here.
  isDone = true;
  await writing;
  // While no worker lives, connections are refused, and a writer that is refused ends.
  let tries = 0;
  const writes = () => writesAgain({ ...load, name: `${load.name}-again-${tries++}` });
  if (!server.hasEnded()) await expect.poll(writes).toBeDefined();
  await server.kill();
}

/** How many workers a storm kills, one every 50 ms, also those that replace others. */
const maxStorm = 20;

/** Kills all processes; with workers, only the first process, or a storm of workers. */
async function killSome(server: TargetServer, random: Random): Promise<void> {
  if (server.answeringIds().length < 2) return void (await server.kill());
  if (random.chance(0.5)) {
    process.kill(server.processId, "SIGKILL");
    return void (await server.ended);
  }
  for (let left = random.integer(1, maxStorm); left > 0; left -= 1) {
    const answering = server.answeringIds();
    if (answering.length > 0) process.kill(random.pick(answering), "SIGKILL");
    await sleep(50);
  }
}

/** Replays name the website by its URL, and each server listens on another port. */
const samePlace = { SITEWARD_PUBLIC_URL: "https://siteward.example" };
const maxCreatingMs = 3_000;

/** Creates until there were so many answers, and kills the server. */
async function createUntilKilled(
  sender: Sender,
  server: TargetServer,
  { name, answers: enough }: { readonly name: string; readonly answers: number },
): Promise<KeyedCreate[]> {
  let [isDone, answers] = [false, 0];
  const creating = runCreates(sender, { name, isDone: () => isDone, onAnswer: () => (answers += 1) });
  for (const endMs = Date.now() + maxCreatingMs; answers < enough && Date.now() < endMs; ) await sleep(1);
  const killing = server.kill();
  isDone = true;
  await killing;
  return await creating;
}
