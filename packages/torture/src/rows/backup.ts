import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createWriteHistory, type WriteHistory } from "../backup/write-history.ts";
import { createClientLog } from "../client/client-log.ts";
import { createHttpClient } from "../client/http-client.ts";
import { readStoredWebsites } from "../client/stored-websites.ts";
import { runWriters } from "../client/writers.ts";
import type { Database } from "../engines/database.ts";
import { openSqliteFile } from "../engines/sqlite.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { checkTrail } from "../trail/check-trail.ts";

/** Backs up the database again and again while clients write, and restores each backup. */
export const backup = {
  promise:
    "A backup that is made while 16 clients write restores to a whole database with everything that was acknowledged " +
    "before it began.",
  engines: ["sqlite"],
  rounds: { unit: "backups", default: 50, short: 1 },
  async run(attack) {
    const database = await attack.createDatabase();
    const accounts = [await attack.createAccount(database), await attack.createAccount(database)];
    const folder = await attack.createFolder();
    const history = createWriteHistory(createClientLog());
    const state: State = { attack, database, accounts, folder, history, tookMs: [], violations: [] };
    await using server = await attack.start(database, { workers: 2 });
    let rounds = 0;
    for (; rounds < attack.rounds && !hasSeenSabotage(attack, state.violations); rounds += 1) {
      await runRound(state, server, rounds);
    }
    const { acknowledged } = history.log.counts;
    const took = `${Math.round(percentile(state.tookMs, 99))} ms`;
    return { figures: { backups: rounds, acknowledged, "backup p99": took }, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly accounts: readonly Account[];
  readonly folder: string;
  readonly history: WriteHistory;
  readonly tookMs: number[];
  readonly violations: string[];
}

const writers = 16;
/** Writes before the backup begins, so that it has something to lose. */
const fewWrites = 50;

async function runRound(state: State, server: TargetServer, round: number): Promise<void> {
  const { attack, accounts, history, folder, violations } = state;
  const { log } = history;
  using client = createHttpClient(server.url);
  let isDone = false;
  const name = `round-${round}`;
  const load = runWriters({ client, accounts, writers, random: attack.random, log, name, isDone: () => isDone });
  const enough = log.counts.acknowledged + fewWrites;
  while (log.counts.acknowledged < enough) await sleep(1);
  const file = join(folder, `${name}.db`);
  const before = log.counts.acknowledged;
  const check = history.mark();
  const startedAtMs = performance.now();
  await attack.operate(state.database, "backup", file);
  state.tookMs.push(performance.now() - startedAtMs);
  if (log.counts.acknowledged === before)
    violations.push("Nobody wrote during the backup, so the row did not test enough.");
  isDone = true;
  await load;
  violations.push(...(await checkRestored(state, { file, name, check })));
}

interface Restored {
  readonly file: string;
  readonly name: string;
  readonly check: ReturnType<WriteHistory["mark"]>;
}

async function checkRestored({ attack, accounts, folder }: State, { file, name, check }: Restored): Promise<string[]> {
  const restored = openSqliteFile(join(folder, `${name}-restored`, "siteward.db"));
  await attack.operate(restored, "restore", file);
  // The sabotage: a restore that loses the oldest website.
  const oldest = "where account_id = 1 and id = (select min(id) from websites where account_id = 1)";
  if (attack.isSabotaged) await restored.query(`delete from websites ${oldest}`);
  const trails = await Promise.all(accounts.map(({ id }) => checkTrail(attack.serverBin, restored, id)));
  return [
    ...check(await readStoredWebsites(restored)),
    ...(await restored.findDamage()),
    ...trails.flatMap(({ violations }) => violations),
  ];
}
