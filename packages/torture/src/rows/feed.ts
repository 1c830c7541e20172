import { setTimeout as sleep } from "node:timers/promises";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { readStoredWebsites } from "../client/stored-websites.ts";
import { runWriters } from "../client/writers.ts";
import type { Database } from "../engines/database.ts";
import { ServerPair } from "../feed/server-pair.ts";
import { WatchedMirror } from "../feed/watched-mirror.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Account, Attack, Row } from "../row.ts";

/** Kills one of two servers with wrong clocks, again and again, while clients write and a mirror follows the changes. */
export const feed = {
  promise:
    "Whoever follows the changes of an account misses none, and never goes back, " +
    "whatever the clocks of the servers say, and if they are killed.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "kills", default: 100, short: 2 },
  async run(attack) {
    const database = await attack.createDatabase();
    const account = await attack.createAccount(database);
    const pair = await ServerPair.start(attack, database);
    const { apiKey } = account;
    await using mirror = await WatchedMirror.start({ apiKey, fetch: pair.fetch, losesChanges: attack.isSabotaged });
    const state: State = { attack, database, account, pair, mirror, log: createClientLog() };
    const violations: string[] = [];
    let kills = 0;
    for (; kills < attack.rounds && !hasSeenSabotage(attack, violations); kills += 1) {
      await writeAndKill(state, kills);
      const stored = await readStoredWebsites(database);
      violations.push(...state.log.check(stored), ...(await mirror.check(stored)), ...mirror.violations.splice(0));
    }
    const { acknowledged, unknown } = state.log.counts;
    return { figures: { kills, acknowledged, unknown, ...mirror.counts }, violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly account: Account;
  readonly pair: ServerPair;
  readonly mirror: WatchedMirror;
  readonly log: ClientLog;
}

const writersOfEach = 32;
/** More would only make the comparison with the mirror longer. */
const maxAcknowledged = 300;
const loadMs = 1_500;

async function writeAndKill({ attack, account, pair, log }: State, round: number): Promise<void> {
  let isDone = false;
  const clients = pair.servers.map(({ url }) => createHttpClient(url));
  const write = (client: HttpClient, index: number) => {
    const load = { client, accounts: [account], writers: writersOfEach, random: attack.random, log };
    return runWriters({ ...load, name: `round-${round}-${index}`, isDone: () => isDone });
  };
  const writing = Promise.all(clients.map(write));
  const enough = log.counts.acknowledged + attack.random.integer(1, maxAcknowledged);
  for (const endMs = Date.now() + loadMs; log.counts.acknowledged < enough && Date.now() < endMs; ) await sleep(1);
  await pair.killOne();
  // The writers of the other server continue, and the mirror with them.
  await sleep(attack.random.integer(0, 50));
  isDone = true;
  await writing;
  for (const client of clients) client[Symbol.dispose]();
  await pair.restore();
}
