import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, readdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteFile } from "../engines/sqlite.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Attack, Row } from "../row.ts";

/** Kills backups and restores at random moments. */
export const backupKilled = {
  promise: "A backup or a restore that is killed leaves the old file or the new one, whole, and runs again.",
  engines: ["sqlite"],
  rounds: { unit: "kills of each", default: 20, short: 1 },
  async run(attack) {
    const folder = await attack.createFolder();
    const state: State = {
      attack,
      folder,
      file: join(folder, "backup.db"),
      violations: [],
      outcomes: { old: 0, new: 0 },
    };
    const database = openSqliteFile(join(folder, "data", "siteward.db"));
    await attack.operate(database, "migrate");
    await database.query(`create table filler (bytes blob)`);
    await database.query(`insert into filler with recursive c (n) as (select 1 union all select n + 1 from c where n < ${fillerMegabytes})
      select randomblob(1000000) from c`);
    await attack.operate(database, "backup", state.file);
    let accounts = 0;
    let rounds = 0;
    for (; rounds < attack.rounds && !hasSeenSabotage(attack, state.violations); rounds += 1) {
      await addAccount(attack, database.url);
      accounts = await killBackup(state, database.url, accounts);
      await killRestore(state, accounts);
    }
    const left = (await readdir(folder)).filter((name) => name.includes("partial"));
    if (left.length > 0) state.violations.push(`The last backup left ${left.join(", ")}.`);
    return { figures: { kills: 2 * rounds, ...state.outcomes }, violations: state.violations };
  },
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly folder: string;
  readonly file: string;
  readonly violations: string[];
  readonly outcomes: { old: number; new: number };
}

/** A backup of it takes about as long as the program takes to start. */
const fillerMegabytes = 24;
/** The start, the copy and the check take less on a quiet machine. */
const maxMs = 900;

async function addAccount(attack: Attack, url: string): Promise<void> {
  await attack.operate({ url }, "accounts", "create", "--name", "Next", "--email", "next@example.com");
}

/** Returns how many accounts the file has, which is then a complete one. */
async function killBackup(state: State, url: string, before: number): Promise<number> {
  const { attack, file, violations, outcomes } = state;
  await runAndKill(state, url, ["backup", file, "--replace"]);
  // The sabotage: a file that is not whole.
  if (attack.isSabotaged) await truncate(file, 1_000_000);
  const found = await countAccounts(state, file);
  if (found === before) outcomes.old += 1;
  else if (found === before + 1) outcomes.new += 1;
  else
    violations.push(
      `After a killed backup, the file has ${found ?? "no"} accounts instead of ${before} or ${before + 1}.`,
    );
  if (attack.isSabotaged) return before;
  await attack.operate({ url }, "backup", file, "--replace");
  return before + 1;
}

/** Kills a restore over an empty database, and restores again. */
async function killRestore(state: State, accounts: number): Promise<void> {
  const { attack, folder, file, violations, outcomes } = state;
  if (attack.isSabotaged) return;
  const database = openSqliteFile(join(folder, `target-${accounts}`, "siteward.db"));
  await attack.operate(database, "migrate");
  await runAndKill(state, database.url, ["restore", file]);
  const found = await countAccounts(state, database.file ?? "");
  if (found === 0) outcomes.old += 1;
  else if (found === accounts) outcomes.new += 1;
  else
    violations.push(`After a killed restore, the database has ${found ?? "no"} accounts instead of 0 or ${accounts}.`);
  const { set_aside: aside } = await attack.operate(database, "restore", file);
  const damage = await database.findDamage();
  const names = await readdir(join(folder, `target-${accounts}`));
  const left = names.filter((name) => name.includes("partial"));
  if (damage.length + left.length > 0) violations.push(`After the next restore: ${[...damage, ...left].join(", ")}.`);
  if (!Array.isArray(aside) || aside.length !== 1) violations.push("The next restore did not set the old file aside.");
}

async function runAndKill({ attack, folder }: State, url: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [attack.serverBin, ...words], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: url },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([sleep(attack.random.integer(100, maxMs)), ended]);
  child.kill("SIGKILL");
  await ended;
}

/** Undefined if the file is not whole. A copy is opened, so that the file stays as it is. */
async function countAccounts({ folder, attack }: State, file: string): Promise<number | undefined> {
  const copy = join(folder, `copy-${attack.random.integer(0, 1e9)}`);
  await copyFile(file, `${copy}.db`);
  const opened = openSqliteFile(`${copy}.db`);
  const damage = await opened.findDamage().catch((error: Error) => [error.message]);
  if (damage.length > 0) return undefined;
  const [row] = await opened.query("select count(*) as count from accounts");
  return Number(row?.["count"]);
}
