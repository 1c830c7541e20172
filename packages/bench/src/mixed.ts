import { canSlowDisk, slowDisk } from "@siteward/testing/slow-disk";
import { startEngine } from "./engines/bench-engine.ts";
import { websiteCount } from "./engines/seeded-file.ts";
import { formatCount, formatMs, formatRatio } from "./format.ts";
import type { CallerGroup, GroupResult } from "./load/load.ts";
import { measureInTurn, median, usualRounds } from "./measure/measure-in-turn.ts";
import { scenarios } from "./measure/scenarios.ts";
import { sendTo, startSiteward } from "./measure/targets.ts";
import { printTable } from "./print-table.ts";

/** `pnpm bench mixed`: measures readers of single websites and writers on SQLite, alone and next to each other. */
const setups = [1, 2].flatMap((workers) => [0, 5].map((syncDelayMs) => ({ workers, syncDelayMs })));
const readers = { request: scenarios.get.request, callers: 8 } as const;
const writers = { request: scenarios.create.request, callers: 64 } as const;
const loads: readonly { readonly title: string; readonly groups: Readonly<Record<string, CallerGroup>> }[] = [
  { title: "8 readers alone", groups: { readers } },
  { title: "64 writers alone", groups: { writers } },
  { title: "8 readers, 64 writers", groups: { readers, writers } },
];

await using engine = await startEngine.sqlite();
console.log(`Medians of ${usualRounds.rounds} rounds of ${usualRounds.seconds} s, with ${websiteCount} websites`);
const hasSlowDisk = canSlowDisk();
if (!hasSlowDisk) console.log("Not run: syncs that take longer, which need strace");
for (const { workers, syncDelayMs } of setups) {
  if (syncDelayMs !== 0 && !hasSlowDisk) continue;
  const database = await engine.createDatabase();
  await using server = await startSiteward(database.url, { workers, wrapper: slowDisk(syncDelayMs) });
  const results = await measureInTurn(loads, ({ groups }, seconds) => sendTo({ server, database }, seconds, groups));
  const medianOf = (index: number, group: string, figure: keyof GroupResult) =>
    median((results[index] ?? []).map((result) => result[group]?.[figure] ?? Number.NaN));
  console.log(`\nProcesses: ${workers}, syncs take ${syncDelayMs} ms longer`);
  printTable(
    ["Load", "callers", "requests/s", "of alone", "p50 ms", "p99 ms"],
    loads.flatMap(({ title, groups }, index) =>
      Object.keys(groups).map((group) => {
        const perSecond = medianOf(index, group, "perSecond");
        // The first load with these callers has no others, on the same server.
        const alone = loads.findIndex((load) => group in load.groups);
        const share = formatRatio(perSecond / medianOf(alone, group, "perSecond"));
        const times = (["p50Ms", "p99Ms"] as const).map((figure) => formatMs(medianOf(index, group, figure)));
        return [title, group, formatCount(perSecond), share, ...times];
      }),
    ),
  );
}
