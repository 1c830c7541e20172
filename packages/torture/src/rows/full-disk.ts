import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStored } from "../client/check-stored.ts";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { type Judge, judgeAnswer } from "../client/judge-answer.ts";
import { runWriters } from "../client/writers.ts";
import { writesAgain } from "../client/writes-again.ts";
import type { Database } from "../engines/database.ts";
import { openSqliteFile } from "../engines/sqlite.ts";
import { openSmallDisk, type SmallDisk } from "../faults/small-disk.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Fills the server's disk and then frees it, while the server runs or before it restarts. */
export const fullDisk = {
  promise: "On a full disk no acknowledged write is lost, reads continue, and writes resume once there is space.",
  engines: ["sqlite"],
  needs: ["linux"],
  rounds: { unit: "fills", default: 8, short: 2 },
  async run(attack) {
    using disk = openSmallDisk(diskBytes);
    const database = openSqliteFile(join(disk.folder, "siteward.db"));
    const accounts = [await attack.createAccount(database)];
    const state: State = { attack, disk, database, accounts, log: createClientLog(), resumedMs: [], violations: [] };
    let server = await attack.start(database);
    let fills = 0;
    for (; fills < attack.rounds && !hasSeenSabotage(attack, state.violations); fills += 1) {
      server = await runRound(state, server, fills);
    }
    await server.kill();
    const { acknowledged, refused, unknown } = state.log.counts;
    if (refused + unknown === 0 && !attack.isSabotaged) state.violations.push("The disk was never full.");
    const resumed = `${Math.round(percentile(state.resumedMs, 99))} ms`;
    const figures = { fills, acknowledged, refused, unknown, "resumed p99": resumed };
    return { figures, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly disk: SmallDisk;
  readonly database: Database;
  readonly accounts: readonly Account[];
  readonly log: ClientLog;
  readonly resumedMs: number[];
  readonly violations: string[];
}

const diskBytes = 24 * 1024 * 1024;
const fewWrites = 40;
/** How long writers try to fill the space that is left. */
const loadMs = 4_000;
/** Writers stop after this many refusals. */
const maxRefused = 20;
const recoveryMs = 15_000;

async function runRound(state: State, server: TargetServer, round: number): Promise<TargetServer> {
  const { attack, disk, violations } = state;
  using client = createHttpClient(server.url);
  await writeSome(state, client, round);
  disk.fill(attack.random.integer(0, 64) * 1024, server.processId);
  await writeUntilRefused(state, client, round);
  await read(state, client);
  if (server.hasEnded()) violations.push(`The server ended on a full disk: ${server.log().slice(-500)}`);
  if (round % 2 === 1) await server.kill();
  disk.free();
  const next = server.hasEnded() ? await attack.start(state.database) : server;
  await resume(state, next, round);
  return next;
}

/** Writes a little, so that the file and its log are not empty when the disk fills up. */
async function writeSome({ attack, accounts, log }: State, client: HttpClient, round: number): Promise<void> {
  const { acknowledged } = log.counts;
  const isDone = () => log.counts.acknowledged >= acknowledged + fewWrites;
  await runWriters({ client, accounts, writers: 4, random: attack.random, log, name: `some-${round}`, isDone });
}

async function writeUntilRefused({ attack, accounts, log }: State, client: HttpClient, round: number): Promise<void> {
  // The sabotage: the client takes a refused write for an acknowledged one.
  let failures = 0;
  const judge: Judge = (answer) => {
    const verdict = judgeAnswer(answer);
    if (verdict !== "acknowledged") failures += 1;
    return attack.isSabotaged ? "acknowledged" : verdict;
  };
  let isDone = false;
  const isOver = () => isDone || failures >= maxRefused;
  const { random } = attack;
  const writing = runWriters({
    client,
    accounts,
    writers: 4,
    random,
    log,
    judge,
    name: `full-${round}`,
    isDone: isOver,
  });
  await Promise.race([writing, sleep(loadMs, undefined, { ref: false })]);
  isDone = true;
  await writing;
}

async function read({ accounts, violations }: State, client: HttpClient): Promise<void> {
  for (const { apiKey } of accounts) {
    const { status } = await client.send("GET", "/api/v1/websites", { apiKey });
    if (status !== 200) violations.push(`On a full disk a read was answered with ${status}.`);
  }
}

async function resume(state: State, server: TargetServer, round: number): Promise<void> {
  const { attack, database, accounts, log, resumedMs, violations } = state;
  using client = createHttpClient(server.url);
  const load = { client, accounts, random: attack.random, log, name: `free-${round}` };
  const tookMs = await writesAgain(load, recoveryMs);
  if (tookMs === undefined) violations.push(`After the disk was freed, no write succeeded for ${recoveryMs} ms.`);
  else resumedMs.push(tookMs);
  violations.push(...(await checkStored({ database, log, client, accounts })));
}
