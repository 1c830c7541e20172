import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { newestVersion } from "../src/storage/engine/schema.ts";
import { readLastBackup } from "../src/storage/moving/last-backup.ts";
import { engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { createFilledPlace, type FilledPlace } from "./support/storage/filled-place.ts";
import { startWorkerServer } from "./support/worker-server.ts";

const readable = 0o777;

test("a backup of a running server can be read by its owner alone, is read by every command, and leaves nothing else", async () => {
  await using server = await startWorkerServer(engines.sqlite, { workers: 1 });
  await using place = await createFilledPlace();
  await server.create("shop.example");
  const startedAt = Date.now();
  const backups = join(place.folder, "backups");
  await mkdir(backups);
  const file = join(backups, "name with 'quotes' and 100%?#.db");
  const made = await server.database.operate(["backup", file]);
  const counts = { version: newestVersion, accounts: 1, websites: 1, removed: [] };
  const times = { newest_change: expect.stringMatching(/Z$/), made_at: expect.stringMatching(/Z$/) };
  expect(made).toEqual({ file, bytes: (await stat(file)).size, ...counts, ...times });
  expect((await stat(file)).mode & readable).toBe(0o600);
  expect(await readdir(backups)).toEqual([expect.stringContaining("quotes")]);
  const copy = join(place.folder, "copy.db");
  await writeFile(copy, await readFile(file));
  const listed = await runInProcess("keys list --json", { DATABASE_URL: `file:${copy}` });
  expect(JSON.parse(listed.stdout)).toEqual(await server.database.operate("keys list"));
  // The database may have another name.
  await symlink(dirname(server.database.path), join(place.folder, "link"));
  const last = await readLastBackup(`file://${place.folder}/link/siteward.db`);
  expect(last?.getTime()).toBeGreaterThanOrEqual(startedAt);
});

test("a backup does not migrate the database, and has its version", async () => {
  await using place = await createFilledPlace();
  await place.execute("insert into schema_migrations (version, name, applied_at) values (9999, 'later', 0)");
  const file = join(place.folder, "backup.db");
  expect(await place.operate(`backup ${file}`)).toMatchObject({ version: 9999, accounts: 4, websites: 20 });
});

const contradicting = "pragma foreign_keys = off; delete from accounts where id = 1";

test.for<[string, string, RegExp, ((place: FilledPlace) => unknown)?]>([
  [
    "the file exists",
    "taken.db",
    /^The file .*taken\.db exists, and is not replaced\. Name a file .*\{time\} in its name\.\n$/,
  ],
  ["it is the database", "data/siteward.db", /siteward\.db belongs to the database itself\. Name another file\.\n$/],
  ["it is a link to nothing", "dangling.db", /^The file .*dangling\.db exists/],
  ["its folder does not exist", "no/where.db", /^The folder .*no does not exist/],
  [
    "the database is missing",
    "backup.db",
    /^The database file .*siteward\.db does not exist\./,
    ({ path }) => rm(path),
  ],
  [
    "the database is damaged",
    "backup.db",
    /malformed|damaged/,
    ({ path }) => readFile(path).then((bytes) => writeFile(path, bytes.fill(0xab, 8_192, 40_960))),
  ],
  [
    "the database has rows that contradict each other",
    "backup.db",
    /^The copy is damaged: a row of \w+ refers to a row that is missing/,
    ({ execute }) => execute(contradicting),
  ],
])("a backup that cannot be made leaves everything as it is, and says why: %s", async ([_, name, message, damage]) => {
  await using place = await createFilledPlace();
  await writeFile(join(place.folder, "taken.db"), "");
  await symlink(join(place.folder, "nothing.db"), join(place.folder, "dangling.db"));
  await damage?.(place);
  const before = await listAll(place.folder);
  const stderr = expect.stringMatching(message);
  expect(await place.run(`backup ${join(place.folder, name)}`)).toEqual({ exitCode: 1, stdout: "", stderr });
  expect(await listAll(place.folder)).toEqual(before);
});

test("the next backup removes what one left that was killed more than a day ago", async () => {
  await using place = await createFilledPlace();
  const [young, old] = [".siteward-partial-younga", ".siteward-partial-oldold"].map((name) => join(place.folder, name));
  for (const folder of [young, old]) {
    await mkdir(folder ?? "");
    await writeFile(join(folder ?? "", "backup.db"), "");
  }
  const dayBefore = Date.now() / 1000 - 25 * 3_600;
  await utimes(old ?? "", dayBefore, dayBefore);
  await place.operate(`backup ${join(place.folder, "backup.db")}`);
  expect((await readdir(place.folder)).filter((name) => name.startsWith("."))).toEqual([".siteward-partial-younga"]);
});

describe.skipIf(process.getuid?.() !== 0)("a backup by root", () => {
  const [one, other] = [1234, 1235];
  const asOther = ["setpriv", `--reuid=${other}`, `--regid=${other}`, "--clear-groups"];

  test("belongs to the owner of its folder, its time to that of the database, and no link leads to a file of root", async () => {
    await using place = await createFilledPlace();
    const [backups, secrets] = [join(place.folder, "backups"), join(place.folder, "secrets")];
    for (const folder of [backups, secrets]) await mkdir(folder, { mode: 0o700 });
    await chown(backups, one, one);
    await place.giveAway(other);
    await symlink(secrets, join(backups, "link"));
    await lchown(join(backups, "link"), one, one);
    await place.operate(`backup ${join(backups, "a.db")}`);
    expect(await stat(join(backups, "a.db"))).toMatchObject({ uid: one, gid: one });
    expect(await stat(`${place.path}.last-backup`)).toMatchObject({ uid: other });
    const led = await place.run(`backup ${join(backups, "link/a.db")}`);
    expect(led).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("EACCES") });
    expect(await readdir(secrets)).toEqual([]);
  });

  test("or not, is complete, and says so, if older ones cannot be deleted", async () => {
    await using place = await createFilledPlace();
    await place.giveAway(other);
    const backups = join(place.folder, "backups");
    const old = join(backups, "siteward-20200101T000000Z.db");
    await mkdir(backups);
    await writeFile(old, "");
    // Whoever may write to this folder may delete only their own files.
    await chmod(backups, 0o1777);
    for (const path of [backups, old]) await chown(path, one, one);
    const words = ["backup", join(backups, "siteward-{time}.db"), "--keep", "1", "--json"];
    const environment = { PATH: process.env["PATH"] ?? "", ...place.environment };
    await using program = startProgram(words, environment, { wrapper: asOther });
    const { exitCode, stdout, stderr } = await program.ended;
    expect(stderr).toMatch(/^The backup is complete\. Older ones could not be deleted: EPERM.*\.\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ accounts: 4, removed: [] });
    expect(exitCode).toBe(0);
    expect(await readLastBackup(place.environment.DATABASE_URL)).toBeDefined();
  });
});

test("--keep deletes the oldest backups of this name, and no other file, and does not count those of the future", async () => {
  await using place = await createFilledPlace();
  const later = ["siteward-29990101T000000Z.db", "siteward-29990102T000000Z.db"];
  const others = [
    ...["siteward-notes.db", "siteward-20200101T000000Z.db.gz", "other-20200101T000000Z.db", ...later],
    ...["siteward-20190231T090507Z.db", "siteward-20190101T000000Zsiteward-20190101T000000Z.db"],
  ];
  const old = ["siteward-20200101T000000Z.db", "siteward-20200102T000000Z.db", "siteward-20200103T000000Z.db"];
  const backups = join(place.folder, "backups");
  await mkdir(backups);
  for (const name of [...others, ...old]) await writeFile(join(backups, name), "");
  // A folder is none, whatever its name.
  await mkdir(join(backups, "siteward-20190101T000000Z.db"));
  const { file, removed } = await place.operate(`backup ${join(backups, "siteward-{time}.db")} --keep 2`);
  expect(file).toMatch(/siteward-\d{8}T\d{6}Z\.db$/);
  expect(removed).toEqual(old.slice(0, 2).map((name) => join(backups, name)));
  const kept = ["siteward-20190101T000000Z.db", "siteward-20200103T000000Z.db", file.slice(backups.length + 1)];
  expect((await readdir(backups)).toSorted()).toEqual([...others, ...kept].toSorted());
});

test.for(["backup", "restore"])(
  "%s refuses a PostgreSQL database and says what to use, without its password",
  async (command) => {
    const environment = { DATABASE_URL: "postgres://siteward:s3cret@db.example:5433/sites?pool_timeout=3" };
    expect(await runInProcess(`${command} siteward.dump`, environment)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "DATABASE_URL (--database-url) is a PostgreSQL database. " +
        "Use its own tools, such as pg_dump and pg_restore: docs/backup.md has the lines.\n",
    });
  },
);

/** The files that a test can change, with their sizes. */
async function listAll(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).size));
  return names.map((name, index) => `${name} ${sizes[index]}`).toSorted();
}
