import { setTimeout as sleep } from "node:timers/promises";
import { slowDisk } from "@siteward/testing/slow-disk";
import { startWriting, type Written } from "../fairness/start-writing.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { percentile } from "../percentile.ts";
import type { Account, Row } from "../row.ts";

/** Lets one account write with 500 requests at a time, and another one with a single request, with SQLite on two disks. */
export const fairness = {
  promise:
    "Next to 500 writers of one account, the only writer of another one waits at most two thirds as long as each of them.",
  engines: ["sqlite", "postgres"],
  needs: ["linux", "strace"],
  rounds: { unit: "seconds", default: 10, short: 1 },
  async run(attack) {
    const database = await attack.createDatabase();
    const busy = await attack.createAccount(database);
    // The sabotage: both are one account, so the single request waits for its turn like the others.
    const small = attack.isSabotaged ? busy : await attack.createAccount(database);
    const violations: string[] = [];
    const figures: Record<string, string> = {};
    for (const { name, wrapper } of disks[attack.engine]) {
      // On a slow machine, the 500 wait for longer than a server lets requests wait for a connection by default.
      const url = attack.engine === "postgres" ? `${database.url}?pool_timeout=15` : database.url;
      await using server = await attack.start({ url }, { wrapper });
      const seen = await compare({ url: server.url, name, busy, small, durationMs: attack.rounds * 1_000 });
      violations.push(...judge(name, seen));
      figures[name] = describe(seen);
      if (hasSeenSabotage(attack, violations)) break;
    }
    return { figures: { writers, ...figures }, violations };
  },
} as const satisfies Row;

const plain = { name: "plain disk", wrapper: [] };
/** PostgreSQL is another process, which uses the disk without the server. */
const disks = {
  sqlite: [plain, { name: "syncs 5 ms longer", wrapper: slowDisk(5) }],
  postgres: [plain],
};
const writers = 500;
const aloneMs = 500;

interface Comparison {
  readonly url: string;
  readonly name: string;
  readonly busy: Account;
  readonly small: Account;
  readonly durationMs: number;
}

/** What the small account saw alone and next to the busy one, and what the busy one saw. */
interface Seen {
  readonly alone: Written;
  readonly beside: Written;
  readonly busy: Written;
}

async function compare({ url, name, busy, small, durationMs }: Comparison): Promise<Seen> {
  const prefix = name.replaceAll(" ", "-");
  const lone = { url, apiKey: small.apiKey, writers: 1 };
  const first = await startWriting({ ...lone, name: `${prefix}-alone` });
  await sleep(aloneMs);
  const alone = await first.stop();
  const crowd = await startWriting({ url, apiKey: busy.apiKey, writers, name: `${prefix}-busy` });
  const second = await startWriting({ ...lone, name: `${prefix}-beside` });
  await sleep(durationMs);
  return { alone, beside: await second.stop(), busy: await crowd.stop() };
}

/**
 * A single request waits for the group that is being committed and for its own: 11 to 41 % of the time of the 500, on a quiet and on a
 * busy machine. When requests did not start in turns of API keys, it was up to 51 %, and when accounts took turns only in front of the
 * thread, 40 to 75 %.
 */
const maxShare = 2 / 3;

function judge(name: string, { beside, busy }: Seen): string[] {
  const [waitedMs, busyMs] = [median(beside), median(busy)];
  const failed = beside.failed + busy.failed;
  return [
    ...(failed > 0 ? [`${name}: ${failed} creates failed.`] : []),
    ...(waitedMs <= busyMs * maxShare
      ? []
      : [`${name}: the only writer waited ${show(waitedMs)}, and each of the ${writers} ${show(busyMs)}.`]),
  ];
}

function describe({ alone, beside, busy }: Seen): string {
  return `${show(median(alone))} alone, ${show(median(beside))} next to ${show(median(busy))}`;
}

function median({ timesMs }: Written): number {
  return percentile(timesMs, 50);
}

function show(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
