import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { createRandom } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { describe, expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { checkStored } from "./support/client/check-stored.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { runWriters, type WritersOptions, writesAgain } from "./support/client/writers.ts";
import { attachStrace, chooseFault, describeFault, toStraceOptions } from "./support/disk/faults.ts";
import { openSmallDisk } from "./support/disk/small-disk.ts";
import { percentile } from "./support/percentile.ts";

const isRoot = process.getuid?.() === 0;
const random = createRandom(seed);

// Only root may attach strace to a process that is not a child.
describe.skipIf(!isRoot || lacksProgram("strace"))("a disk that fails", () => {
  test("loses no acknowledged write, and stores no refused one", async () => {
    await using database = await createDatabase("sqlite", { isMigrated: true });
    const accounts = [await createAccount(database.url)];
    const log = createClientLog();
    const fired: string[] = [];
    const faults = rounds(6);
    // The last round checks what the round before it left.
    for (let round = 0; round <= faults; round += 1) {
      await using server = await startServer(database.url);
      using client = createHttpClient(server.url);
      expect(await checkStored({ database, log, url: server.url, accounts }), `After ${fired.at(-1)}`).toEqual([]);
      if (round === faults) break;
      const fault = chooseFault(random, round);
      const load = { client, accounts, random, log };
      // One writer, or many, whose changes are committed in groups.
      const writing = { ...load, name: `round-${round}`, writers: round % 4 === 0 ? 1 : 16 };
      const goesOn = round % 2 === 1;
      const target = { processId: server.processId, options: toStraceOptions(fault, database.file ?? ""), goesOn };
      if (await writeWithFault(writing, target)) fired.push(describeFault(fault));
      const resumedMs = goesOn ? await writesAgain({ ...load, name: `again-${round}` }) : 0;
      expect(resumedMs, `No write succeeded after ${describeFault(fault)}`).toBeDefined();
      expect(server.hasEnded(), server.log().slice(-500)).toBe(false);
    }
    expect(fired).not.toEqual([]);
    report({ faults: fired.length, ...log.counts });
  });
});

/** How long a round waits for its fault. */
const faultMs = 1_500;
/** How long writers continue after the fault. */
const restMs = 60;

interface FaultyTarget {
  readonly processId: number;
  /** The options of strace that inject the fault. */
  readonly options: readonly string[];
  /** Whether the writers go on after a failure. Otherwise they stop, and leave what the failure left on the disk. */
  readonly goesOn: boolean;
}

/** Writes while a fault happens. Returns whether it happened. */
async function writeWithFault(
  load: Omit<WritersOptions, "isDone">,
  { processId, options, goesOn }: FaultyTarget,
): Promise<boolean> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  await using strace = await attachStrace({ processId, options, outputFile: join(folder.path, "trace") });
  const { counts } = load.log;
  const { refused, unknown } = counts;
  let isDone = false;
  const isOver = () => isDone || (!goesOn && (counts.refused > refused || counts.unknown > unknown));
  const writing = runWriters({ ...load, isDone: isOver });
  const hasFired = () => strace.output().includes("(INJECTED)");
  for (const endMs = Date.now() + faultMs; Date.now() < endMs && !hasFired(); ) await sleep(10);
  if (goesOn) await sleep(restMs);
  isDone = true;
  await writing;
  return hasFired();
}

const diskBytes = 24 * 1024 * 1024;
/** So that the file and its log are not empty when the disk fills up. */
const fewWrites = 40;
/** Writers fill the space that is left, until so many are refused or this time is over. */
const maxRefused = 20;
const fillMs = 4_000;

test.skipIf(!isRoot)(
  "on a full disk no acknowledged write is lost, reads continue, and writes resume once there is space",
  async () => {
    using disk = openSmallDisk(diskBytes);
    const database = openSqliteFile(join(disk.folder, "siteward.db"));
    const accounts = [await createAccount(database.url)];
    const [log, resumedMs] = [createClientLog(), [] as number[]];
    const fills = rounds(2);
    for (let round = 0; round < fills; round += 1) {
      const load = { accounts, random, log, name: `round-${round}` };
      await using server = await startServer(database.url);
      using client = createHttpClient(server.url);
      const writes = log.counts.acknowledged + fewWrites;
      const hasSome = () => log.counts.acknowledged >= writes;
      await runWriters({ ...load, client, writers: 4, name: `some-${round}`, isDone: hasSome });
      disk.fill(random.integer(0, 64) * 1024);
      const enough = log.counts.refused + log.counts.unknown + maxRefused;
      const endMs = Date.now() + fillMs;
      const isFull = () => log.counts.refused + log.counts.unknown >= enough || Date.now() > endMs;
      await runWriters({ ...load, client, writers: 4, isDone: isFull });
      const { status } = await client.send("GET", "/api/v1/websites", { apiKey: accounts[0]?.apiKey ?? "" });
      expect(status).toBe(200);
      expect(server.hasEnded(), server.log().slice(-500)).toBe(false);
      // It is freed while the server runs, or before the next one starts.
      if (round % 2 === 1) await server.kill();
      disk.free();
      await using next = round % 2 === 1 ? await startServer(database.url) : undefined;
      const { url } = next ?? server;
      using nextClient = createHttpClient(url);
      const tookMs = await writesAgain({ ...load, client: nextClient, name: `free-${round}` });
      expect(tookMs, "A write succeeds again").toBeDefined();
      resumedMs.push(tookMs ?? 0);
      expect(await checkStored({ database, log, url, accounts })).toEqual([]);
    }
    expect(log.counts.refused + log.counts.unknown, "The disk was full").toBeGreaterThan(0);
    report({ fills, ...log.counts, "resumed p99": `${Math.round(percentile(resumedMs, 99))} ms` });
  },
);
