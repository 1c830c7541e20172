import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { Database } from "../engines/database.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import { type Lock, locksOf, writerOf } from "../read-only/locks.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Takes away the right to write to the database, before a server starts and while it runs, and gives it back. */
export const readOnly = {
  promise:
    "A read-only database stops the start; if it becomes read-only, each change and /readyz say so, reads continue, " +
    "and the server recovers by itself.",
  engines: ["sqlite", "postgres"],
  needs: ["linux", "permissions"],
  rounds: { unit: "rounds", default: 10, short: 1 },
  async run(attack) {
    await using database = await attack.createDatabase();
    const account = await attack.createAccount(database);
    const state: State = {
      attack,
      database,
      account,
      starts: 0,
      refused: 0,
      noticedMs: [],
      resumedMs: [],
      violations: [],
    };
    let rounds = 0;
    for (; rounds < attack.rounds && !hasSeenSabotage(attack, state.violations); rounds += 1) {
      for (const lock of locksOf(database)) await startLocked(state, lock);
      if (!hasSeenSabotage(attack, state.violations)) await lockWhileRunning(state, rounds);
    }
    const stored = await database.query("select id from websites");
    if (stored.length !== rounds) state.violations.push(`${stored.length} websites are stored, not ${rounds}.`);
    const figures = {
      rounds,
      "refused starts": state.starts,
      "refused changes": state.refused,
      "named p99": `${Math.round(percentile(state.noticedMs, 99))} ms`,
      "ready again p99": `${Math.round(percentile(state.resumedMs, 99))} ms`,
    };
    return { figures, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly account: Account;
  /** Starts that were refused. */
  starts: number;
  /** Changes that were refused. */
  refused: number;
  readonly noticedMs: number[];
  readonly resumedMs: number[];
  readonly violations: string[];
}

const changes = 20;
/** How long `/readyz` may take to notice either. It shares its answers for half a second. */
const noticeMs = 5_000;
const namesIt = /"detail":"The database is read-only/;

async function startLocked(state: State, lock: Lock): Promise<void> {
  await lock.close();
  const refusal = await start(state).then(
    (server) => server.kill().then(() => undefined),
    (error: Error) => error.message,
  );
  await lock.open();
  if (refusal?.includes("before it listened: Cannot write to the ") === true) state.starts += 1;
  else state.violations.push(`A server with ${lock.name} ${refusal === undefined ? "started" : `said: ${refusal}`}.`);
}

async function lockWhileRunning(state: State, round: number): Promise<void> {
  const { database, violations, noticedMs, resumedMs } = state;
  const [lock] = locksOf(database);
  await using server = await start(state);
  using client = createHttpClient(server.url);
  await lock.close();
  noticedMs.push(await timeUntilReadiness(state, client, 503));
  for (let change = 0; change < changes; change += 1) await expectRefusal(state, client, `${round}-${change}`);
  await expectRead(state, client);
  await lock.open();
  resumedMs.push(await timeUntilReadiness(state, client, 200));
  const { status } = await create(state, client, `stored-${round}`);
  if (status !== 201) violations.push(`A change of a database that is writable again was answered with ${status}.`);
  if (server.hasEnded()) violations.push(`The server ended: ${server.log().slice(-500)}`);
  // After a kill, the next server opens its files to write as soon as it starts, and permissions no longer count.
  await server.stop();
}

/** The sabotage: the server may write, whatever is taken away. */
function start({ attack, database }: State): Promise<TargetServer> {
  const { url, wrapper } = writerOf(database, { isBound: !attack.isSabotaged });
  return attack.start({ url }, { wrapper });
}

async function timeUntilReadiness({ violations }: State, client: HttpClient, expected: 200 | 503): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const { status, text } = await client.send("GET", "/readyz");
    const tookMs = performance.now() - startMs;
    if (status === expected && (status === 200 || namesIt.test(text))) return tookMs;
    if (tookMs > noticeMs) {
      violations.push(`After ${noticeMs} ms, /readyz was answered with ${status}: ${text}`);
      return tookMs;
    }
    await sleep(20);
  }
}

async function expectRefusal(state: State, client: HttpClient, name: string): Promise<void> {
  const { status, headers, text } = await create(state, client, name);
  const isNamed = status === 503 && namesIt.test(text) && headers.get("retry-after") === "5";
  if (isNamed) state.refused += 1;
  else state.violations.push(`A change of a read-only database was answered with ${status}: ${text}`);
}

async function expectRead({ account, violations }: State, client: HttpClient): Promise<void> {
  const { status } = await client.send("GET", "/api/v1/websites", { apiKey: account.apiKey });
  if (status !== 200) violations.push(`A read of a read-only database was answered with ${status}.`);
}

function create({ account }: State, client: HttpClient, name: string) {
  const body = { domain: `${name}.example` };
  return client.send("POST", "/api/v1/websites", { apiKey: account.apiKey, body });
}
