import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { checkStored } from "../client/check-stored.ts";
import { type ClientLog, createClientLog } from "../client/client-log.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { runWriters } from "../client/writers.ts";
import { writesAgain } from "../client/writes-again.ts";
import type { Database } from "../engines/database.ts";
import { loseNewestWebsite } from "../engines/lose-newest-website.ts";
import { createPostgresDatabase } from "../engines/postgres.ts";
import { mountSmallDisk } from "../faults/small-disk.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { outages, type Target } from "../outages/outage.ts";
import { percentile } from "../percentile.ts";
import type { Account, Attack, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Makes a PostgreSQL server with default settings crash, freeze, restart and (as root) fill its disk under load. */
export const postgresOutage = {
  promise:
    "If PostgreSQL fails, no acknowledged write is lost, no refused write is stored, " +
    "and the server recovers by itself.",
  engines: ["postgres"],
  needs: ["linux"],
  rounds: { unit: "outages", default: 12, short: 4 },
  async run(attack) {
    using disk = process.getuid?.() === 0 ? mountSmallDisk(diskBytes) : undefined;
    await using cluster = await startPostgresCluster(
      disk === undefined ? { settings } : { settings, place: disk.folder },
    );
    await using database = await createPostgresDatabase(cluster.urlOf, "torture");
    const accounts = [await attack.createAccount(database)];
    await using server = await attack.start({ url: `${database.url}?${impatience}` });
    const { random } = attack;
    const target: Target = { cluster, database, disk, random };
    const state: State = { attack, target, accounts, server, log: createClientLog(), servedMs: [], violations: [] };
    let count = 0;
    for (; count < attack.rounds && !hasSeenSabotage(attack, state.violations); count += 1) {
      await runRound(state, count);
    }
    const { acknowledged, refused, unknown } = state.log.counts;
    const served = `${Math.round(percentile(state.servedMs, 99))} ms`;
    const figures = { outages: count, acknowledged, refused, unknown, "served again p99": served };
    return { figures, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly target: Target;
  readonly accounts: readonly Account[];
  readonly server: TargetServer;
  readonly log: ClientLog;
  readonly servedMs: number[];
  readonly violations: string[];
}

/** An empty PostgreSQL takes 40 MB, and its write-ahead log two files of 16 MB. */
const diskBytes = 192 * 1024 * 1024;
const settings = ["max_wal_size=32MB", "min_wal_size=32MB"];
/** Short timeouts, so that a short outage is noticed. */
const impatience = "pool_timeout=1&connect_timeout=1&statement_timeout=1000";
const recoveryMs = 15_000;

async function runRound(state: State, round: number): Promise<void> {
  const { attack, target, accounts, server, log, servedMs, violations } = state;
  const kinds = Object.entries(outages).filter(([kind]) => kind !== "full disk" || target.disk !== undefined);
  const [kind, fail] = kinds[round % kinds.length] ?? ["crash", outages.crash];
  using client = createHttpClient(server.url);
  const load = { client, accounts, random: attack.random, log };
  let isDone = false;
  const writing = runWriters({ ...load, writers: 8, name: `outage-${round}`, isDone: () => isDone });
  const reading = read(state, client, () => isDone);
  await sleep(attack.random.integer(100, 300));
  await fail(target);
  isDone = true;
  await Promise.all([writing, reading]);
  const tookMs = await writesAgain({ ...load, name: `after-${round}` }, recoveryMs);
  if (tookMs !== undefined) servedMs.push(tookMs);
  else violations.push(`After a ${kind}, no write succeeded for ${recoveryMs} ms.`);
  if (attack.isSabotaged) await loseNewestWebsite(target.database);
  const found = await check(state, client);
  violations.push(...found.map((violation) => `After a ${kind}: ${violation}`));
  if (server.hasEnded()) violations.push(`After a ${kind} the server ended: ${server.log().slice(-500)}`);
}

/** Reads are answered, or refused with the time to retry. */
async function read({ accounts, violations }: State, client: HttpClient, isDone: () => boolean): Promise<void> {
  for (const apiKey = accounts[0]?.apiKey ?? ""; !isDone(); await sleep(20)) {
    const { status, headers } = await client.send("GET", "/api/v1/websites", { apiKey });
    const isRefused = status === 503 && headers.get("retry-after") === "1";
    if (status !== 200 && !isRefused) violations.push(`A read was answered with ${status}.`);
  }
}

async function check({ target: { database }, log, accounts }: State, client: HttpClient): Promise<string[]> {
  await waitUntilQuiet(database);
  // A create that fails uses up no ID.
  const gaps = await database.query(
    "select id from accounts where last_website_id <> " +
      "(select count(*) from audit_entries where account_id = accounts.id and action = 'website.created')",
  );
  const found = await checkStored({ database, log, client, accounts });
  return gaps.length === 0 ? found : [...found, "An ID was left out."];
}

/** A frozen PostgreSQL runs what it had received when it continues, even if no client waits for it. */
async function waitUntilQuiet(database: Database): Promise<void> {
  const busy = "select pid from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'";
  for (let waits = 0; waits < 200; waits += 1) {
    if ((await database.query(`${busy} and pid <> pg_backend_pid()`)).length === 0) return;
    await sleep(50);
  }
  throw new Error("A transaction was still in progress after 10 seconds.");
}
