import { setTimeout as sleep } from "node:timers/promises";
import { readStoredWebsites } from "../client/stored-websites.ts";
import type { Database } from "../engines/database.ts";
import { type Load, startLoad } from "./load.ts";
import type { StormTarget } from "./storm-target.ts";
import { untilWell } from "./until-well.ts";

const workers = 4;
/** Distinguishes these websites from those of other storms on the same database. */
const name = "storm";
const betweenKillsMs = 50;
const maxWellMs = 5_000;
/** On a busy machine, the start of four workers alone can take longer than `maxWellMs`. */
const maxStarts = 4;
/** How long the row waits for the recovery, so that it can report how long it took. */
const maxWaitMs = 40_000;

/** Kills random workers faster than they start, and checks what is stored and how fast the server recovers. */
export async function killWorkers({ attack, database, account }: StormTarget, durationMs: number) {
  const startedAtMs = performance.now();
  await using server = await attack.start(database, { workers });
  const mayTakeMs = Math.max(maxWellMs, maxStarts * (performance.now() - startedAtMs));
  await using load = startLoad(server.port, account, name);
  await sleep(300);
  let kills = 0;
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await sleep(betweenKillsMs)) {
    const answering = server.answeringIds();
    if (answering.length === 0) continue;
    kill(attack.random.pick(answering));
    kills += 1;
  }
  const failedInStorm = load.failed();
  const isWhole = () => server.answeringIds().length === workers;
  const wellAfterMs = await untilWell({ load, sinceMs: performance.now(), maxMs: maxWaitMs, isWhole });
  const violations: string[] = [];
  if (wellAfterMs > mayTakeMs) {
    violations.push(`The server recovered only ${Math.round(wellAfterMs)} ms after the storm: ${load.faults()}.`);
  }
  // A client of a worker that is killed loses its answer. No client is refused.
  if (load.faults().includes("ECONNREFUSED")) violations.push(`A connection was refused: ${load.faults()}.`);
  if (server.hasEnded()) violations.push(`The first process ended: ${server.log().slice(-500)}`);
  await load.end();
  violations.push(...(await findLost(database, load)));
  return { kills, failed: failedInStorm, acknowledged: load.created.size, wellAfterMs, violations };
}

async function findLost(database: Database, { created, sent }: Load): Promise<string[]> {
  const domains = (await readStoredWebsites(database)).map(({ domain }) => domain);
  const stored = new Set(domains.filter((domain) => domain.startsWith(name)));
  return [
    ...[...created]
      .filter((domain) => !stored.has(domain))
      .map((domain) => `${domain} was answered with 201, but is lost.`),
    ...[...stored].filter((domain) => !sent.has(domain)).map((domain) => `${domain} was not created by this run.`),
    ...(await database.findDamage()),
  ];
}

function kill(processId: number): void {
  try {
    process.kill(processId, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
