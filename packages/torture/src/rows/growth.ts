import { setTimeout as sleep } from "node:timers/promises";
import { awayFromMidnight } from "@siteward/testing/away-from-midnight";
import { hasRisen } from "../client/probe.ts";
import { type Grown, grow } from "../growth/grow.ts";
import { measureTrail } from "../growth/measure-trail.ts";
import { startCalmChanges } from "../growth/start-calm-changes.ts";
import type { Account, Attack, Row } from "../row.ts";
import { toMegabytes } from "../servers/watch-memory.ts";

/** One account changes as much as it can, on two workers, before and after a restart. */
export const growth = {
  promise:
    "One account leaves no more on the disk in a day than its limit, is told when that ends, and disturbs no other.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "seconds", default: 20, short: 2 },
  async run(attack) {
    await awayFromMidnight(attack.rounds * 1_000 + startsMs);
    const database = await attack.createDatabase();
    const greedy = await attack.createAccount(database);
    const calm = await attack.createAccount(database);
    const start = () => attack.start(database, { workers, settings: { SITEWARD_TRAIL_LIMIT: limit(attack) } });
    const beforeBytes = await measureTrail(database);
    const violations: string[] = [];
    const runs: Grown[] = [];
    const latencies: string[] = [];
    // A restart must not begin a new count.
    for (const name of ["first", "again"]) {
      await using server = await start();
      const quiet = await changeCalmly(server.url, calm, () => sleep(quietMs));
      const during = await changeCalmly(server.url, calm, async () => {
        runs.push(await grow({ ...greedyOptions(attack, server.url, greedy), name }));
      });
      latencies.push(`${quiet.medianMs.toFixed(1)} → ${during.medianMs.toFixed(1)} ms`);
      if (during.failed > 0) violations.push(`${during.failed} of ${during.count} changes of another account failed.`);
      const waited = `Another account waited ${during.medianMs.toFixed(0)} ms (median).`;
      if (hasRisen(during.medianMs, quiet.medianMs)) violations.push(waited);
      await server.stop();
    }
    const grownBytes = (await measureTrail(database)) - beforeBytes;
    violations.push(...runs.flatMap(({ breaches }) => breaches));
    if (grownBytes > maxBytes) violations.push(`The account left ${toMegabytes(grownBytes)} MB.`);
    if (runs.some(({ refused }) => refused === 0)) violations.push("No change was refused.");
    const total = (choose: (run: Grown) => number) => runs.map(choose).reduce((sum, count) => sum + count, 0);
    const figures = {
      seconds: attack.rounds,
      answered: total(({ answered }) => answered),
      refused: total(({ refused }) => refused),
      left: `${(grownBytes / 1e6).toFixed(1)} MB`,
      "other account's median": latencies.join(" and "),
    };
    return { figures, violations };
  },
} as const satisfies Row;

const workers = 2;
const connections = 4;
const quietMs = 300;
/** How long the database, two starts and two stops take at most. */
const startsMs = 20_000;
const limitMegabytes = 1;
/** Deletions go on to half as much again. Each process counts a megabyte on its own, also after the restart. */
const maxBytes = (limitMegabytes * 1.5 + 2 * workers) * 1e6 + 2 * connections * 75_000;

/** The sabotage: nothing is limited. */
function limit({ isSabotaged }: Attack): string {
  return isSabotaged ? "0" : String(limitMegabytes);
}

function greedyOptions({ random, rounds }: Attack, url: string, { apiKey }: Account) {
  return { url, apiKey, random, connections, durationMs: (rounds / 2) * 1_000 };
}

async function changeCalmly(url: string, { apiKey }: Account, during: () => Promise<void>) {
  const changes = await startCalmChanges(url, apiKey);
  await during();
  return await changes.stop();
}
