import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { copyFile, mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@siteward/testing/engines/create-database";
import type { Database } from "@siteward/testing/engines/database";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { createRandom } from "@siteward/testing/random";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { createAccount, operate } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { readStoredWebsites, type StoredWebsite } from "./support/client/stored-websites.ts";
import { runWriters } from "./support/client/writers.ts";
import { openSmallDisk, type SmallDisk } from "./support/disk/small-disk.ts";
import { patienceMs } from "./support/patience.ts";
import { percentile } from "./support/percentile.ts";
import { checkTrail } from "./support/trail/check-trail.ts";

const random = createRandom(seed);
const temporary = join(tmpdir(), "siteward-");
/** Writes before a backup begins, so that it has something to lose. */
const fewWrites = 50;

test("a backup made while 16 clients write restores to a whole database with everything acknowledged before it began", async () => {
  await using folder = await mkdtempDisposable(temporary);
  await using database = await createDatabase("sqlite", { isMigrated: true });
  const accounts = [await createAccount(database.url), await createAccount(database.url)];
  const log = createClientLog();
  await using server = await startServer(database.url, { workers: 2 });
  using client = createHttpClient(server.url);
  const tookMs: number[] = [];
  for (let round = 0; round < rounds(1); round += 1) {
    const name = `round-${round}`;
    let isDone = false;
    const writing = runWriters({ client, accounts, writers: 16, random, log, name, isDone: () => isDone });
    for (const enough = log.counts.acknowledged + fewWrites; log.counts.acknowledged < enough; ) await sleep(1);
    const before = log.counts.acknowledged;
    const known = log.known();
    const startedAtMs = performance.now();
    const file = join(folder.path, `${name}.db`);
    await operate(database.url, ["backup", file]);
    tookMs.push(performance.now() - startedAtMs);
    expect(log.counts.acknowledged, "Clients wrote during the backup").toBeGreaterThan(before);
    isDone = true;
    await writing;
    const restored = openSqliteFile(join(folder.path, name, "siteward.db"));
    await operate(restored.url, ["restore", file]);
    expect(findMissing(known, log.known(), await readStoredWebsites(restored))).toEqual([]);
    expect(await restored.findDamage()).toEqual([]);
    const trails = await Promise.all(accounts.map(({ id }) => checkTrail(restored, id)));
    expect(trails.flatMap(({ violations }) => violations)).toEqual([]);
  }
  const { acknowledged } = log.counts;
  report({ backups: tookMs.length, acknowledged, "backup p99": `${Math.round(percentile(tookMs, 99))} ms` });
});

test("a backup that is killed leaves a whole file or none, a restore the old database or the new one, and both run again", async () => {
  await using folder = await mkdtempDisposable(temporary);
  // A backup of it takes about as long as the program takes to start.
  const database = await openFilled(join(folder.path, "data", "siteward.db"), 24);
  const outcomes = { old: 0, new: 0 };
  for (let accounts = 1; accounts <= rounds(1); accounts += 1) {
    await operate(database.url, ["accounts", "create", "--name", "Next", "--email", "next@example.com"]);
    const killed = join(folder.path, `killed-${accounts}.db`);
    await runAndKill(database.url, ["backup", killed]);
    const isThere = existsSync(killed);
    if (isThere) expect(await countAccounts(killed)).toBe(accounts);
    outcomes[isThere ? "new" : "old"] += 1;
    const file = join(folder.path, `backup-${accounts}.db`);
    await operate(database.url, ["backup", file]);

    const target = openSqliteFile(join(folder.path, `target-${accounts}`, "siteward.db"));
    await operate(target.url, ["migrate"]);
    await runAndKill(target.url, ["restore", file]);
    const restored = await countAccounts(target.file);
    expect([0, accounts]).toContain(restored);
    outcomes[restored === accounts ? "new" : "old"] += 1;
    // What is there is set aside.
    expect(await operate(target.url, ["restore", file])).toMatchObject({ set_aside: [expect.any(String)] });
    expect(await target.findDamage()).toEqual([]);
  }
  report({ kills: outcomes.old + outcomes.new, ...outcomes });
});

test.skipIf(process.getuid?.() !== 0)(
  "a backup for which the disk has no room fails, says so, and leaves the backup before it as it is",
  async () => {
    await using folder = await mkdtempDisposable(temporary);
    // Enough for two backups of 12 MB.
    using disk = openSmallDisk(40 * 1024 * 1024);
    const { url } = await openFilled(join(folder.path, "siteward.db"), 12);
    const file = join(disk.folder, "backup.db");
    await operate(url, ["backup", file]);
    const before = await readFile(file);
    for (let round = 0; round < rounds(2); round += 1) {
      const isEarly = round % 2 === 0;
      const next = join(disk.folder, "next.db");
      let why = "";
      do {
        // A backup can be faster than what fills the disk. Then there is another one.
        rmSync(next, { force: true });
        if (isEarly) disk.fill(4_000_000);
        const child = startOperator(url, ["backup", next]);
        const said = child.stderr.setEncoding("utf8").toArray();
        if (!isEarly) await fillDuring(disk);
        why = (await said).join("");
        disk.free();
      } while (!isEarly && existsSync(next));
      expect(why).toMatch(isEarly ? / are free\./ : /disk is full|I\/O error/);
      expect(before.equals(await readFile(file)), "The file is as it was").toBe(true);
      expect(await readdir(disk.folder)).toEqual(["backup.db"]);
    }
  },
);

type Marks = ReadonlyMap<string, string | undefined>;

/** A backup has the last write of a domain that was known when it began, or a later one. Writers count their marks up. */
function findMissing(before: Marks, after: Marks, stored: readonly StoredWebsite[]): string[] {
  const marks = new Map(stored.map(({ domain, mark }) => [domain, Number(mark)]));
  const missing = [...before].filter(([domain, known]) => {
    const mark = marks.get(domain);
    if (mark === undefined) return known !== undefined && after.get(domain) !== undefined;
    return known === undefined || mark < Number(known);
  });
  return missing.map(
    ([domain, known]) => `The backup should have ${domain} at ${known}, but has ${marks.get(domain)}.`,
  );
}

/** Creates a database of about so many megabytes. */
async function openFilled(file: string, megabytes: number): Promise<Database> {
  const database = openSqliteFile(file);
  await operate(database.url, ["migrate"]);
  await database.query("create table filler (bytes blob)");
  const counted = `recursive c (n) as (select 1 union all select n + 1 from c where n < ${megabytes})`;
  await database.query(`insert into filler with ${counted} select randomblob(1000000) from c`);
  return database;
}

function startOperator(url: string, words: readonly string[]) {
  return spawn(process.execPath, [serverBin, ...words], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** The start, the copy and the check take less on a quiet machine. */
const maxMs = 900;

async function runAndKill(url: string, words: readonly string[]): Promise<void> {
  const child = startOperator(url, words);
  child.stderr.resume();
  const ended = once(child, "exit");
  await Promise.race([sleep(random.integer(100, maxMs)), ended]);
  child.kill("SIGKILL");
  await ended;
}

/** Checks that a file is whole, and returns how many accounts it has. A copy is opened, so that the file stays as it is. */
async function countAccounts(file = ""): Promise<number> {
  await using folder = await mkdtempDisposable(temporary);
  const copy = join(folder.path, "copy.db");
  await copyFile(file, copy);
  const opened = openSqliteFile(copy);
  expect(await opened.findDamage()).toEqual([]);
  const [row] = await opened.query("select count(*) as count from accounts");
  return Number(row?.["count"]);
}

/** Fills the disk once the backup has checked that there is room. */
async function fillDuring(disk: SmallDisk): Promise<void> {
  const isWritten = async () => (await readdir(disk.folder)).length > 1;
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs && !(await isWritten()); ) await sleep(1);
  disk.fill(0);
}
