import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { startProcess } from "@siteward/testing/start-process";
import { describe, expect, test } from "vitest";
import { newestVersion } from "../src/storage/engine/schema.ts";
import { movableSqliteFiles } from "../src/storage/sqlite/movable-sqlite-files.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { createFilledPlace } from "./support/storage/filled-place.ts";
import { openWithTestAuthor } from "./support/storage.ts";

const stopIt = "Stop the server and every other program that uses it, and run the same command again.\n";
const aside = /\/siteward\.db\.replaced-\d{8}T\d{6}Z$/;

test("a restore replaces the database, sets the old one aside, says what it restored, and how to start", async () => {
  await using place = await createPlace();
  await place.operate("accounts create --name Later --email ops@example.com");
  await chmod(place.path, 0o640);
  const run = await place.run(`restore ${place.backup}`);
  const replaced = (await readdir(place.data)).find((name) => name.includes("replaced")) ?? "";
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")).toBe(`\
Restored 4 accounts and 20 websites at version ${newestVersion} to ${place.path}.
The backup was made at TIME.
Its newest change was made at TIME.
Set aside ${join(place.data, replaced)}.
Start the server with this database: DATABASE_URL or --database-url.
`);
  expect((await stat(place.path)).mode & 0o777).toBe(0o640);
  expect(countAccounts(place.path)).toBe(4);
  expect(countAccounts(join(place.data, replaced))).toBe(5);
  // What was set aside can be restored in turn.
  const back = await place.operate(`restore ${join(place.data, replaced)}`);
  expect(back).toMatchObject({ accounts: 5, backup_made_at: null });
});

test("a restore works without a database, creates its folder for this user alone, and the result can be served", async () => {
  await using place = await createPlace();
  await rm(place.data, { recursive: true });
  expect(await place.operate(`restore ${place.backup}`)).toMatchObject({ accounts: 4, set_aside: [], damage: null });
  expect((await stat(place.data)).mode & 0o777).toBe(0o700);
  expect((await stat(place.path)).mode & 0o777).toBe(0o600);
  expect(await readdir(place.data)).toEqual(["siteward.db"]);
  await using storage = await openWithTestAuthor(place);
  await storage.ping();
});

test("what a killed process has in its log is in the database that is set aside", async () => {
  await using place = await createPlace();
  const killed = join(place.folder, "killed.db");
  using writer = new DatabaseSync(place.path);
  writer.exec("pragma journal_mode = wal; update accounts set name = 'in the log'");
  // As a kill leaves them: the last connection did not move the log into the file.
  for (const suffix of ["", "-wal", "-shm"]) await copyFile(`${place.path}${suffix}`, `${killed}${suffix}`);
  const run = await runInProcess(`restore ${place.backup} --json`, { DATABASE_URL: `file:${killed}` });
  const [replaced = "", ...others] = JSON.parse(run.stdout).set_aside;
  expect(others).toEqual([expect.stringMatching(/-shm$/)]);
  using old = new DatabaseSync(replaced);
  expect(old.prepare("select distinct name from accounts").all()).toEqual([{ name: "in the log" }]);
  using restored = new DatabaseSync(killed);
  expect(restored.prepare("select count(*) as count from accounts where name = 'in the log'").get()).toEqual({
    count: 0,
  });
});

test("a restore is refused, and changes nothing, while a server has the database open, which may have created it", async () => {
  await using place = await createPlace();
  const environment = { DATABASE_URL: `file:${place.folder}/new.db` };
  await using server = startProgram(["start", "--port", "0", "--bootstrap", "--json"], environment);
  const { url } = JSON.parse(await server.printed("\n"));
  const refused = await runInProcess(`restore ${place.backup}`, environment);
  const stderr = `The database ${place.folder}/new.db is open in another process. ${stopIt}`;
  expect(refused).toEqual({ exitCode: 1, stdout: "", stderr });
  // Its file is no backup either.
  const other = await place.run(`restore ${place.folder}/new.db`);
  expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/is not a backup: .*-wal is a log/) });
  expect(await readdir(place.data)).toEqual(["siteward.db", "siteward.db.last-backup"]);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("a program that opens the database during a restore waits, and opens the new file, never the old one", async () => {
  await using place = await createPlace();
  const lock = movableSqliteFiles.lock(place.path, { movesLog: true });
  await using program = startProgram(
    ["accounts", "create", "--name", "New", "--email", "a@example.com"],
    place.environment,
  );
  const hasEnded = await Promise.race([program.ended.then(() => true), sleep(1_500, false)]);
  expect(hasEnded).toBe(false);
  // As a restore does it, so that there is a file at each moment.
  const old = join(place.folder, "old.db");
  await link(place.path, old);
  await rename(place.backup, place.path);
  lock[Symbol.dispose]();
  expect(await program.ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(countAccounts(place.path)).toBe(5);
  expect(countAccounts(old)).toBe(4);
});

describe("a file that is no good backup is refused, and the database is not touched,", () => {
  test.for<[string, (place: Awaited<ReturnType<typeof createPlace>>) => unknown, RegExp]>([
    ["because it does not exist", ({ backup }) => rm(backup), /^The backup .* does not exist/],
    ["because it is empty", ({ backup }) => writeFile(backup, ""), /backup\.db is empty\. Name another backup\.\n$/],
    [
      "because its pages are damaged",
      ({ backup }) => readFile(backup).then((bytes) => writeFile(backup, bytes.fill(7, 8_192, 40_960))),
      /backup\.db cannot be restored: /,
    ],
    [
      "because a row refers to nothing",
      ({ backup }) => openSqliteFile(backup).query("pragma foreign_keys = off; delete from accounts where id = 1"),
      /refers to a row that is missing/,
    ],
    [
      "because it is of another program",
      ({ backup }) => rm(backup).then(() => openSqliteFile(backup).query("create table notes (id integer)")),
      /is a database of another program/,
    ],
    [
      "because a newer program wrote it",
      ({ backup }) => openSqliteFile(backup).query("insert into schema_migrations values (99, 'future', 0)"),
      /is at version 99, .*Run the newer Siteward/,
    ],
    [
      "because it is the database itself",
      ({ backup, path }) => rm(backup).then(() => link(path, backup)),
      /belongs to the database itself/,
    ],
  ])("%s", async ([_, damage, message]) => {
    await using place = await createPlace();
    await damage(place);
    const before = await readFile(place.path);
    const run = await place.run(`restore ${place.backup}`);
    expect(run).toEqual({ exitCode: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(await readFile(place.path)).toEqual(before);
    expect(await readdir(place.data)).toEqual(["siteward.db", "siteward.db.last-backup"]);
  });
});

test("a database that is damaged is set aside as it is, and replaced, but never one of another program", async () => {
  await using place = await createPlace();
  const bytes = (await readFile(place.path)).fill(0xab, 60, 30_000);
  await writeFile(place.path, bytes);
  const restored = await place.operate(`restore ${place.backup}`);
  expect(restored).toMatchObject({
    accounts: 4,
    set_aside: [expect.stringMatching(aside)],
    damage: expect.any(String),
  });
  expect((await readFile(restored.set_aside[0])).equals(bytes)).toBe(true);
  expect(countAccounts(place.path)).toBe(4);
  const other = join(place.folder, "other.db");
  await openSqliteFile(other).query("create table notes (id integer)");
  const refused = await runInProcess(`restore ${place.backup}`, { DATABASE_URL: `file:${other}` });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/is a database of another program/) });
});

test("a database that is a symbolic link to nothing is refused, and named as that", async () => {
  await using place = await createPlace();
  const link = join(place.folder, "link.db");
  await symlink(join(place.folder, "gone.db"), link);
  const run = await runInProcess(`restore ${place.backup}`, { DATABASE_URL: `file:${link}` });
  expect(run).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `DATABASE_URL (--database-url) names ${link}, a symbolic link to a file that does not exist. Name that file.\n`,
  });
});

test("the next restore removes what a killed one left", async () => {
  await using place = await createPlace();
  await link(place.path, `${place.path}.replaced-20200101T000000Z`);
  const partial = join(place.data, ".siteward-partial-abcdef");
  await mkdir(partial);
  await utimes(partial, 0, 0);
  const { set_aside: setAside } = await place.operate(`restore ${place.backup}`);
  const names = [setAside[0].slice(place.folder.length + "/data/".length), "siteward.db", "siteward.db.last-backup"];
  expect((await readdir(place.data)).toSorted()).toEqual(names.toSorted());
});

describe.skipIf(process.getuid?.() !== 0)("root", () => {
  const user = 1234;

  test("restores a database that its owner can use", async () => {
    await using place = await createPlace();
    await place.giveAway(user);
    await place.operate(`restore ${place.backup}`);
    expect(await stat(place.path)).toMatchObject({ uid: user, gid: user });
    await using program = startWith(user, "require('fs').openSync(process.argv[1], 'r+')", place.path);
    expect(await program.ended).toMatchObject({ exitCode: 0 });
  });

  test("changes no file of its own, whatever links the owner of the folder puts there", async () => {
    await using place = await createPlace();
    const secret = join(place.folder, "secret");
    await writeFile(secret, "of root", { mode: 0o644 });
    await place.giveAway(user);
    const attack = `
      const [folder, secret] = process.argv.slice(1), fs = require("fs");
      process.stdout.write("ready");
      for (;;) for (const name of fs.readdirSync(folder)) try {
        const path = folder + "/" + name;
        if (/partial/.test(name) && !fs.lstatSync(path).isSymbolicLink()) {
          const inner = fs.statSync(path).isDirectory() ? path + "/siteward.db" : path;
          fs.unlinkSync(inner); fs.symlinkSync(secret, inner);
        }
      } catch {}`;
    await using attacker = startWith(user, attack, place.data, secret);
    await attacker.printed("ready");
    for (let round = 0; round < 3; round += 1) await place.run(`restore ${place.backup}`);
    expect(await readFile(secret, "utf8")).toBe("of root");
    expect(await stat(secret)).toMatchObject({ uid: 0 });
    // The database itself is such a link.
    await using other = await createPlace();
    await rm(other.path);
    await symlink(secret, other.path);
    await other.giveAway(user);
    const run = await other.run(`restore ${other.backup}`);
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(await readFile(secret, "utf8")).toBe("of root");
  });
});

/** Runs a script of Node.js as a user. */
function startWith(userId: number, script: string, ...words: readonly string[]) {
  const user = ["setpriv", `--reuid=${userId}`, `--regid=${userId}`, "--clear-groups"];
  return startProcess([...user, process.execPath, "-e", script, ...words], { stdin: "" });
}

/** A database with four accounts in `data`, and a backup of it. */
async function createPlace() {
  const place = await createFilledPlace();
  const backup = join(place.folder, "backup.db");
  await place.operate(`backup ${backup}`);
  return { ...place, backup };
}

function countAccounts(file: string): unknown {
  using database = new DatabaseSync(file);
  return database.prepare("select count(*) as count from accounts").get()?.["count"];
}
