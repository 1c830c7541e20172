import { setTimeout as sleep } from "node:timers/promises";
import { checkStored } from "../client/check-stored.ts";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { runWriters } from "../client/writers.ts";
import type { Database } from "../engines/database.ts";
import { loseNewestWebsite } from "../engines/lose-newest-website.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { breakTrail } from "../trail/break-trail.ts";
import { type CheckedTrail, checkTrail } from "../trail/check-trail.ts";

/** Kills the server, or its first process, or one worker, under load, and checks what is stored. */
export const killNine = {
  promise:
    "An acknowledged write survives kill -9, no ID is used twice, no creation date goes backwards, " +
    "and the audit trail gives the same records when it is replayed.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "kills", default: 40, short: 4 },
  async run(attack) {
    const database = await attack.createDatabase();
    const accounts = [await attack.createAccount(database), await attack.createAccount(database)];
    const state: State = { attack, database, accounts, log: createClientLog(), restartsMs: [], violations: [] };
    // The last round checks what the round before it left, and kills nothing.
    for (let round = 0; round <= attack.rounds; round += 1) {
      await runRound(state, round);
      if (hasSeenSabotage(attack, state.violations)) break;
    }
    const trails = await checkTrails(state);
    const ofTrail = trails.flatMap(({ violations }) => violations);
    const replayed = trails.reduce((sum, { entries }) => sum + entries, 0);
    const { acknowledged, unknown } = state.log.counts;
    const restart = `${Math.round(percentile(state.restartsMs, 99))} ms`;
    const kills = state.restartsMs.length - 1;
    const figures = { kills, acknowledged, unknown, "entries replayed": replayed, "restart p99": restart };
    // A sabotaged run must notice both what it did to a website and what it did to the trail.
    const isUnnoticed = attack.isSabotaged && (ofTrail.length === 0 || state.violations.length === 0);
    return { figures, violations: isUnnoticed ? [] : [...state.violations, ...ofTrail] };
  },
} as const satisfies Row;

/** The sabotage of websites changes only the first account, and that of the trail only the last one. */
async function checkTrails({ attack, database, accounts }: State): Promise<CheckedTrail[]> {
  const { isSabotaged, random, serverBin } = attack;
  const [last, ...others] = accounts.toReversed();
  if (last === undefined) return [];
  if (isSabotaged) await breakTrail(database, { random, accountId: last.id });
  const checked = isSabotaged ? [last] : [last, ...others];
  return await Promise.all(checked.map(({ id }) => checkTrail(serverBin, database, id)));
}

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly accounts: readonly Account[];
  readonly log: ClientLog;
  readonly restartsMs: number[];
  readonly violations: string[];
}

const writers = 64;
/** Enough for some answers before the kill on a slow machine, without taking long on a fast one. */
const maxAcknowledged = 400;
const loadMs = 2_000;

/** The first half of the rounds use one process, the second half workers. */
async function runRound(state: State, round: number): Promise<void> {
  const { attack, database, restartsMs, violations } = state;
  const startedAtMs = performance.now();
  await using server = await attack.start(database, { workers: round < attack.rounds / 2 ? 1 : 2 });
  restartsMs.push(performance.now() - startedAtMs);
  using client = createHttpClient(server.url);
  if (attack.isSabotaged) await loseNewestWebsite(database);
  // The server has recovered its files by itself, as it must after a crash.
  violations.push(...(await checkStored({ ...state, client })));
  if (round < attack.rounds) await writeAndKill(state, { server, client, round });
}

interface Target {
  readonly server: TargetServer;
  readonly client: HttpClient;
  readonly round: number;
}

async function writeAndKill({ attack, accounts, log }: State, { server, client, round }: Target): Promise<void> {
  const { random } = attack;
  let isDone = false;
  const name = `round-${round}`;
  const load = runWriters({ client, accounts, writers, random, log, name, isDone: () => isDone });
  const enough = log.counts.acknowledged + random.integer(1, maxAcknowledged);
  for (const endMs = Date.now() + loadMs; log.counts.acknowledged < enough && Date.now() < endMs; ) await sleep(1);
  await sleep(random.integer(0, 20));
  await killSome(attack, server, round);
  // Writers whose worker was not killed continue until here.
  isDone = true;
  await load;
  await server.kill();
}

/** Kills all processes; with workers, only the first process or one worker. */
async function killSome({ random }: Attack, server: TargetServer, round: number): Promise<void> {
  const answering = server.answeringIds();
  if (answering.length < 2) return void (await server.kill());
  process.kill(round % 2 === 0 ? server.processId : random.pick(answering), "SIGKILL");
  await sleep(50);
}
