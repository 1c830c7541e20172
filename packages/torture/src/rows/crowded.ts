import { readResidentBytes } from "@siteward/testing/process-tree";
import { probeFor } from "../client/probe.ts";
import { type Crowded, crowd } from "../crowded/crowd.ts";
import { maxBytes } from "../expensive/fill.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Row } from "../row.ts";
import { toMegabytes, watchMemory } from "../servers/watch-memory.ts";

/** Sends creates over many connections while another process has locked the database: small ones, then the largest. */
export const crowded = {
  promise: "One key with any number of connections and bodies refuses no other account, and memory has a bound.",
  engines: ["sqlite"],
  needs: ["linux"],
  // A create waits for the lock for at most five seconds.
  rounds: { unit: "seconds of each kind", default: 3, short: 1 },
  async run(attack) {
    const database = await attack.createDatabase();
    const greedy = await attack.createAccount(database, { websiteLimit: 1_000_000 });
    // The sabotage: both clients have one key, so nothing tells them apart, as when all requests had one count.
    const other = attack.isSabotaged ? greedy : await attack.createAccount(database);
    await using server = await attack.start(database);
    const read = { path: "/api/v1/account", apiKey: other.apiKey, pauseMs: 10 };
    const quiet = await probeFor(quietMs, server.url, read);
    const beforeBytes = readResidentBytes(server.processId);
    const memory = watchMemory(() => [server.processId]);
    const violations: string[] = [];
    const figures: Record<string, number | string> = { seconds: attack.rounds };
    for (const [name, kind] of Object.entries(kinds)) {
      const target = { url: server.url, file: database.file ?? "", account: greedy, read };
      const seen = await crowd({ ...target, ...kind, durationMs: attack.rounds * 1_000 });
      const { created, refused, during } = seen;
      figures[name] =
        `${created} done and ${refused} refused, ${during.count} other reads with p99 ${quiet.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms`;
      violations.push(...judge(seen).map((breach) => `${name}: ${breach}`));
      if (hasSeenSabotage(attack, violations)) break;
    }
    const peakBytes = memory.stop();
    const used = [beforeBytes, peakBytes, readResidentBytes(server.processId)].map(toMegabytes).join(" → ");
    if (peakBytes > maxUsedBytes) violations.push(`The server used ${toMegabytes(peakBytes)} MB.`);
    if (server.hasEnded()) violations.push(`The server ended: ${server.log().slice(-500)}`);
    return { figures: { ...figures, memory: `${used} MB` }, violations };
  },
} as const satisfies Row;

/** It was 5 to 40 ms on a machine with much other work. */
const maxMedianMs = 1_000;
/**
 * 1,200 connections take 50 MB, and the bodies that may wait 80. Without a bound of bodies, the server used 577 MB. Before bytes that
 * nobody reads any more were freed at once and the heap had a bound, it used 360 to 390.
 */
const maxUsedBytes = 310e6;
const quietMs = 500;

const lists = {
  exclude_params: Array.from({ length: 100 }, (_, index) => `${"p".repeat(120)}${index}`),
  exclude_ips: Array.from({ length: 500 }, (_, index) => `2001:db8:1:2:3:4:${index.toString(16)}:1`),
};
/** More connections than requests may be in progress, and more of the largest bodies than may be in memory. */
const kinds = {
  small: { connections: 1_200, attempts: 10, bodyEnd: "}" },
  // What is left of 64 KiB is spaces. One attempt each leaves this process time to measure.
  largest: { connections: 600, attempts: 1, bodyEnd: `,${JSON.stringify(lists).slice(1)}`.padEnd(maxBytes - 100) },
};

function judge({ during, breaches }: Crowded): string[] {
  const found = [...breaches];
  if (during.failed > 0) found.push(`${during.failed} of ${during.count} reads of the other account failed.`);
  if (during.medianMs > maxMedianMs) found.push(`The other account waited ${during.medianMs.toFixed(1)} ms (median).`);
  return found;
}
