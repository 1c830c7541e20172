import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteFile } from "../engines/sqlite.ts";
import { openSmallDisk, type SmallDisk } from "../faults/small-disk.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Attack, Row } from "../row.ts";

/** Fills the disk of the backups before a backup or while it is made. */
export const backupFullDisk = {
  promise: "A backup for which the disk has no room fails, says so, and leaves the backup before it as it is.",
  engines: ["sqlite"],
  needs: ["linux"],
  rounds: { unit: "fills", default: 10, short: 2 },
  async run(attack) {
    using disk = openSmallDisk(diskBytes);
    const database = openSqliteFile(join(await attack.createFolder(), "siteward.db"));
    await attack.operate(database, "migrate");
    await database.query("create table filler (bytes blob)");
    await database.query(`insert into filler with recursive c (n) as (select 1 union all select n + 1 from c where n < 12)
      select randomblob(1000000) from c`);
    const file = join(disk.folder, "backup.db");
    await attack.operate(database, "backup", file);
    const state: State = { attack, disk, url: database.url, file, violations: [], refused: { before: 0, during: 0 } };
    let fills = 0;
    for (; fills < attack.rounds && !hasSeenSabotage(attack, state.violations); fills += 1)
      await runRound(state, fills);
    return { figures: { fills, ...state.refused }, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly disk: SmallDisk;
  readonly url: string;
  readonly file: string;
  readonly violations: string[];
  readonly refused: { before: number; during: number };
}

/** Enough for two backups of 12 MB, as a replacement needs. */
const diskBytes = 40 * 1024 * 1024;

async function runRound(state: State, round: number): Promise<void> {
  const { attack, disk, file, url, violations, refused } = state;
  const before = await readFile(file);
  const isEarly = round % 2 === 0;
  if (isEarly) disk.fill(4_000_000, process.pid);
  const child = spawn(process.execPath, [attack.serverBin, "backup", file, "--replace"], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let note = "";
  child.stderr.on("data", (chunk) => {
    note += String(chunk);
  });
  const ended = once(child, "close");
  if (!isEarly) await fillDuring(disk, child.pid ?? 0);
  await ended;
  disk.free();
  // The sabotage: a backup that succeeds.
  if (attack.isSabotaged) await attack.operate({ url }, "backup", file, "--replace");
  const { exitCode } = child;
  if (exitCode === 0) return;
  if (/ are free\./.test(note)) refused.before += 1;
  else if (/disk is full|I\/O error/.test(note)) refused.during += 1;
  else violations.push(`The backup ended with ${exitCode} and did not say that the disk is full: ${note}`);
  if (!before.equals(await readFile(file))) violations.push("A backup that failed changed the one before it.");
  const names = (await readdir(disk.folder)).filter((name) => name !== "backup.db");
  if (names.length > 0) violations.push(`A backup that failed left ${names.join(", ")}.`);
}

/** Waits until the backup has checked that there is room. */
async function fillDuring(disk: SmallDisk, processId: number): Promise<void> {
  for (const endMs = Date.now() + 20_000; Date.now() < endMs; ) {
    if ((await readdir(disk.folder)).some((name) => name.endsWith(".partial"))) break;
    await sleep(1);
  }
  disk.fill(0, processId);
}
