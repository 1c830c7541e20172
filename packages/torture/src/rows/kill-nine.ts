import { setTimeout as sleep } from "node:timers/promises";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient } from "../client/http-client.ts";
import { readStoredWebsites } from "../client/stored-websites.ts";
import { runWriters } from "../client/writers.ts";
import type { Database } from "../engines/database.ts";
import { percentile } from "../percentile.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Kills the server, or the process that keeps its workers, or one worker, under load, and looks at what is stored. */
export const killNine = {
  promise: "A write that was answered survives kill -9; no id is given twice and no date falls.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "kills", default: 40, short: 4 },
  async run(attack) {
    const database = await attack.createDatabase();
    const accounts = [await attack.createAccount(database), await attack.createAccount(database)];
    const state: State = { attack, database, accounts, log: createClientLog(), restartsMs: [], violations: [] };
    // The first half with one process, the second with workers.
    for (let round = 0; round < attack.rounds; round += 1) {
      await runRound(state, round);
      if (attack.isSabotaged && state.violations.length > 0) break;
    }
    const { counts } = state.log;
    return {
      figures: {
        kills: attack.rounds,
        acknowledged: counts.acknowledged,
        unknown: counts.unknown,
        broken: state.violations.length,
        "restart p99": `${Math.round(percentile(state.restartsMs, 99))} ms`,
      },
      violations: state.violations,
    };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly accounts: readonly Account[];
  readonly log: ClientLog;
  readonly restartsMs: number[];
  readonly violations: string[];
}

const writers = 12;

async function runRound(state: State, round: number): Promise<void> {
  const { attack, database, accounts, log, restartsMs, violations } = state;
  const startedAtMs = performance.now();
  await using server = await attack.start(database, { workers: round < attack.rounds / 2 ? 1 : 2 });
  restartsMs.push(performance.now() - startedAtMs);
  using client = createHttpClient(server.url);
  let isDone = false;
  const { random } = attack;
  const name = `round-${round}`;
  const load = runWriters({ client, accounts, writers, random, log, name, isDone: () => isDone });
  await sleep(random.integer(20, 250));
  await killSome(attack, server, round);
  // A server with a worker left must go on for those who wait.
  isDone = true;
  await load;
  await server.kill();
  if (attack.isSabotaged) await loseOne(database);
  violations.push(...log.check(await readStoredWebsites(database)), ...(await database.findDamage()));
}

/** All processes; or with workers, the first alone, or one worker. */
async function killSome({ random }: Attack, server: TargetServer, round: number): Promise<void> {
  const answering = server.answeringIds();
  if (answering.length < 2) return void (await server.kill());
  process.kill(round % 2 === 0 ? server.processId : random.pick(answering), "SIGKILL");
  await sleep(50);
}

/** What the row must see: the newest website is gone, and the counts agree all the same. */
async function loseOne(database: Database): Promise<void> {
  const newest = "select max(id) from websites where account_id = 1";
  await database.query(`delete from websites where account_id = 1 and id = (${newest})`);
  const count = "select count(*) from websites where account_id = 1";
  await database.query(`update accounts set website_count = (${count}) where id = 1`);
}
