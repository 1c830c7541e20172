import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStored } from "../client/check-stored.ts";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { type Judge, judgeAnswer } from "../client/judge-answer.ts";
import { runWriters } from "../client/writers.ts";
import { writesAgain } from "../client/writes-again.ts";
import type { Database } from "../engines/database.ts";
import { chooseFault, type Fault, toStraceOptions } from "../faults/fault.ts";
import { attachStrace, type Tracer } from "../faults/strace.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Lets one system call on the database's files fail under load, kills the server and looks at what is stored. */
export const ioFaults = {
  promise: "When the disk fails, no answered write is lost and no write that was refused is kept.",
  engines: ["sqlite"],
  needs: ["linux", "strace"],
  rounds: { unit: "faults", default: 42, short: 4 },
  async run(attack) {
    const database = await attack.createDatabase();
    const accounts = [await attack.createAccount(database)];
    const folder = await mkdtemp(join(tmpdir(), "siteward-torture-"));
    const state: State = { attack, database, accounts, folder, log: createClientLog(), fired: [], violations: [] };
    // The last round looks at what the one before it left.
    for (let round = 0; round <= attack.rounds; round += 1) {
      await runRound(state, round);
      if (attack.isSabotaged && state.violations.length > 0) break;
    }
    await rm(folder, { recursive: true, force: true });
    const { acknowledged, refused, unknown } = state.log.counts;
    return {
      figures: { faults: state.fired.length, acknowledged, refused, unknown, broken: state.violations.length },
      violations: state.violations,
    };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly accounts: readonly Account[];
  readonly folder: string;
  readonly log: ClientLog;
  /** The faults that happened. */
  readonly fired: Fault[];
  readonly violations: string[];
}

/** How long a round waits for its fault. */
const loadMs = 400;
/** How long writers go on after it. */
const restMs = 60;
/** How long the server may take to write again. */
const recoveryMs = 5_000;

async function runRound(state: State, round: number): Promise<void> {
  const { attack, database, fired, violations } = state;
  await using server = await attack.start(database);
  using client = createHttpClient(server.url);
  const last = round === 0 ? undefined : fired.at(-1);
  const found = await checkStored({ ...state, client });
  violations.push(...found.map((violation) => `After ${describe(last)}: ${violation}`));
  if (round === attack.rounds) return;
  const fault = chooseFault(attack.random, round);
  await writeWithFault(state, { server, client, fault, round });
  await server.kill();
}

interface Target {
  readonly server: TargetServer;
  readonly client: HttpClient;
  readonly fault: Fault;
  readonly round: number;
}

/**
 * In even rounds one writer stops at the first failure, and the server is killed with what that left on the disk. In odd
 * ones several go on, and once the disk is well again they must be served.
 */
async function writeWithFault(state: State, { server, client, fault, round }: Target): Promise<void> {
  const { attack, accounts, log, fired, violations } = state;
  const goesOn = round % 2 === 1;
  const { refused, unknown } = log.counts;
  const hasFailed = () => log.counts.refused > refused || log.counts.unknown > unknown;
  // What the row must see: a write that was refused is taken for one that was done.
  const judge: Judge = attack.isSabotaged ? () => "acknowledged" : judgeAnswer;
  const load = { client, accounts, random: attack.random, log, judge };
  let isDone = false;
  {
    await using strace = await attachFault(state, { server, client, fault, round });
    const isOver = () => isDone || (!goesOn && hasFailed());
    const writing = runWriters({ ...load, name: `round-${round}`, writers: goesOn ? 4 : 1, isDone: isOver });
    const hasFired = () => strace.output().includes("(INJECTED)");
    for (const endMs = Date.now() + loadMs; Date.now() < endMs && !hasFired(); ) await sleep(10);
    if (goesOn) await sleep(restMs);
    isDone = true;
    await writing;
    if (hasFired()) fired.push(fault);
  }
  if (goesOn && (await writesAgain({ ...load, name: `again-${round}` }, recoveryMs)) === undefined) {
    violations.push(`After ${describe(fault)} nothing could be written for ${recoveryMs} ms.`);
  }
  if (server.hasEnded()) violations.push(`After ${describe(fault)} the server ended: ${server.log().slice(-500)}`);
}

async function attachFault({ database, folder }: State, { server, fault, round }: Target): Promise<Tracer> {
  const options = toStraceOptions(fault, database.file ?? "");
  return attachStrace({ processId: server.processId, options, outputFile: join(folder, `trace-${round}`) });
}

function describe(fault: Fault | undefined): string {
  if (fault === undefined) return "no fault";
  return `${fault.error} at ${fault.calls} ${fault.nth}${fault.isLasting ? " and all after it" : ""}`;
}
