import { readFileSync } from "node:fs";
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
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Makes one system call on the database's files fail under load, kills the server and checks what is stored. */
export const ioFaults = {
  promise: "If the disk fails, no acknowledged write is lost and no refused write is stored.",
  engines: ["sqlite"],
  needs: ["linux", "strace"],
  rounds: { unit: "faults", default: 42, short: 4 },
  async run(attack) {
    const database = await attack.createDatabase();
    const accounts = [await attack.createAccount(database)];
    const folder = await attack.createFolder();
    const state: State = {
      attack,
      database,
      accounts,
      folder,
      log: createClientLog(),
      fired: [],
      recent: [],
      violations: [],
    };
    // The last round checks what the round before it left.
    for (let round = 0; round <= attack.rounds; round += 1) {
      await runRound(state, round);
      if (hasSeenSabotage(attack, state.violations)) break;
    }
    if (state.fired.length === 0 && !attack.isSabotaged) state.violations.push("No fault happened.");
    const { acknowledged, refused, unknown } = state.log.counts;
    const figures = { faults: state.fired.length, acknowledged, refused, unknown };
    return { figures, violations: state.violations };
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
  /** Descriptions of the faults since the last check of what is stored. */
  readonly recent: string[];
  readonly violations: string[];
}

/** A starting server makes about 20 calls on its files. */
const maxStartCalls = 10;
/** How long a round waits for its fault. */
const loadMs = 1_500;
const manyWriters = 16;
/** How long writers continue after the fault. */
const restMs = 60;
/** The longest time until the server writes again. */
const recoveryMs = 15_000;

async function runRound(state: State, round: number): Promise<void> {
  const { attack, database, recent, violations } = state;
  if (round % 6 === 5) await startWithFault(state, round);
  await using server = await attack.start(database);
  using client = createHttpClient(server.url);
  const history = recent.splice(0).join(", and ") || "no fault";
  const found = await checkStored({ ...state, client });
  violations.push(...found.map((violation) => `After ${history}: ${violation}`));
  if (round === attack.rounds) return;
  const fault = chooseFault(attack.random, round);
  await writeWithFault(state, { server, client, fault, round });
  await server.kill();
}

/** A server that cannot start exits and says why. */
async function startWithFault(state: State, round: number): Promise<void> {
  const { attack, database, folder, violations } = state;
  const fault = { ...chooseFault(attack.random, round), nth: attack.random.integer(1, maxStartCalls) };
  const outputFile = join(folder, `start-${round}`);
  const wrapper = ["strace", "-f", "-o", outputFile, ...toStraceOptions(fault, database.file ?? "")];
  try {
    await using _server = await attack.start(database, { wrapper });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isClear = /ended with [1-9]\d* before it listened: \S/.test(why);
    if (!isClear) violations.push(`At the start, after ${describe(fault)}: ${why}`);
  }
  if (readFileSync(outputFile, "utf8").includes("(INJECTED)")) noteFired(state, fault, " at a start");
}

interface Target {
  readonly server: TargetServer;
  readonly client: HttpClient;
  readonly fault: Fault;
  readonly round: number;
}

/**
 * In even rounds, one writer or many stop at the first failure, and the server is killed with what the failure left on the
 * disk. In odd rounds, many writers continue, and the server must serve them once the disk works again. The changes of many
 * writers are committed in groups.
 */
async function writeWithFault(state: State, { server, client, fault, round }: Target): Promise<void> {
  const { attack, accounts, log, violations } = state;
  const goesOn = round % 2 === 1;
  const { refused, unknown } = log.counts;
  const hasFailed = () => log.counts.refused > refused || log.counts.unknown > unknown;
  // The sabotage: the client takes a refused write for an acknowledged one.
  const judge: Judge = attack.isSabotaged ? () => "acknowledged" : judgeAnswer;
  const load = { client, accounts, random: attack.random, log, judge };
  let isDone = false;
  {
    await using strace = await attachFault(state, { server, client, fault, round });
    const isOver = () => isDone || (!goesOn && hasFailed());
    const writing = runWriters({
      ...load,
      name: `round-${round}`,
      writers: round % 4 === 0 ? 1 : manyWriters,
      isDone: isOver,
    });
    const hasFired = () => strace.output().includes("(INJECTED)");
    for (const endMs = Date.now() + loadMs; Date.now() < endMs && !hasFired(); ) await sleep(10);
    if (goesOn) await sleep(restMs);
    isDone = true;
    await writing;
    if (hasFired()) noteFired(state, fault);
  }
  if (goesOn && (await writesAgain({ ...load, name: `again-${round}` }, recoveryMs)) === undefined) {
    violations.push(`After ${describe(fault)} no write succeeded for ${recoveryMs} ms.`);
  }
  if (server.hasEnded()) violations.push(`After ${describe(fault)} the server ended: ${server.log().slice(-500)}`);
}

async function attachFault({ database, folder }: State, { server, fault, round }: Target): Promise<Tracer> {
  const options = toStraceOptions(fault, database.file ?? "");
  return attachStrace({ processId: server.processId, options, outputFile: join(folder, `trace-${round}`) });
}

function noteFired({ fired, recent }: State, fault: Fault, when = ""): void {
  fired.push(fault);
  recent.push(`${describe(fault)}${when}`);
}

function describe({ error, calls, nth, isLasting }: Fault): string {
  return `${error} at ${calls} ${nth}${isLasting ? " and all after it" : ""}`;
}
