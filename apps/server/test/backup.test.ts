import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readLastBackup } from "../src/storage/backup/last-backup.ts";
import { newestVersion } from "../src/storage/migrations/migrations.ts";
import { engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram, startUnprivileged, startWrapped } from "./support/run-program.ts";
import { fillInstallation } from "./support/storage/fill-installation.ts";
import { startWorkerServer } from "./support/worker-server.ts";

const readable = 0o777;
/** A folder with a database of four accounts. */
let template: string;

beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "siteward-"));
  await fillInstallation(`file:${join(template, "siteward.db")}`, { websiteCount: 20 });
}, 60_000);

afterAll(() => rm(template, { recursive: true }));

test("a backup of a running server can be read by its owner alone, is read by every command, and leaves nothing else", async () => {
  await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
  await using place = await createPlace();
  await server.create("shop.example");
  const startedAt = Date.now();
  const file = join(place.folder, "name with 'quotes' and 100%?#.db");
  const made = await server.operate("backup", file);
  expect(made).toEqual({
    file,
    bytes: (await stat(file)).size,
    version: newestVersion,
    accounts: 1,
    websites: 1,
    newest_change: expect.stringMatching(/Z$/),
    made_at: expect.stringMatching(/Z$/),
    removed: [],
  });
  expect((await stat(file)).mode & readable).toBe(0o600);
  expect(await readdir(place.folder)).toEqual([expect.stringContaining("quotes")]);
  const copy = join(place.folder, "copy.db");
  await writeFile(copy, await readFile(file));
  const listed = await runInProcess(["keys", "list", "--json"], { DATABASE_URL: `file:${copy}` });
  expect(JSON.parse(listed.stdout)).toEqual(await server.operate("keys", "list"));
  const last = await readLastBackup(server.database.databaseUrl);
  expect(last?.getTime()).toBeGreaterThanOrEqual(startedAt);
});

describe("a backup that cannot be made leaves everything as it is, and says why", () => {
  test.for([
    [
      "the file exists",
      "taken.db",
      /^The file .*taken\.db exists, and is not replaced\. Name a file .* --replace\.\n$/,
    ],
    ["it is the database", "data/siteward.db", /siteward\.db belongs to the database itself\. Name another file\.\n$/],
    ["it is the log of the database", "data/siteward.db-wal", /-wal belongs to the database itself\./],
    ["it is a link to the database", "link.db", /siteward\.db belongs to the database itself\./],
    ["it is a link to nothing", "dangling.db", /dangling\.db is a symbolic link to a file that does not exist\./],
    ["it is a folder", "data", /data is not a file\. Name a file, such as .*data\/siteward-\{time\}\.db\.\n$/],
    ["its folder does not exist", "no/where.db", /^The folder .*no does not exist/],
  ] as const)("%s", async ([_, name, message]) => {
    await using place = await createPlace();
    await place.fill();
    const before = await listAll(place.folder);
    const run = await runInProcess(["backup", join(place.folder, name)], place.environment);
    expect(run).toEqual({ exitCode: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(await listAll(place.folder)).toEqual(before);
  });

  test.for([
    [
      "the database does not exist",
      "file:/nowhere/siteward.db",
      1,
      /^The database file \/nowhere\/siteward\.db does not exist\./,
    ],
    ["the URL has parameters", "file:data.db?mode=ro", 2, /contains a "\?" or "#"/],
  ] as const)("%s", async ([_, databaseUrl, exitCode, message]) => {
    await using place = await createPlace();
    const run = await runInProcess(["backup", place.file], { DATABASE_URL: databaseUrl });
    expect(run).toEqual({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
    expect(await readdir(place.folder)).toEqual([]);
  });

  test("the database belongs to another program", async () => {
    await using place = await createPlace();
    await mkdir(join(place.folder, "data"));
    using other = new DatabaseSync(join(place.folder, "data/siteward.db"));
    other.exec("create table notes (id integer)");
    const run = await runInProcess(["backup", place.file], place.environment);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/is a database of another program/) });
  });

  test("this user may not write to the folder", async () => {
    await using place = await createPlace();
    await place.fill();
    const folder = join(place.folder, "closed");
    await mkdir(folder, { mode: 0o555 });
    await using program = startUnprivileged(["backup", join(folder, "a.db")], place.environment);
    expect(await program.ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/EACCES: permission denied/),
    });
    await chmod(folder, 0o755);
  });

  test("the database is damaged", async () => {
    await using place = await createPlace();
    await place.fill();
    const path = join(place.folder, "data/siteward.db");
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xab, 8_192, 40_960));
    const run = await runInProcess(["backup", place.file], place.environment);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/malformed|damaged/) });
    expect((await readdir(place.folder)).toSorted()).toEqual(["dangling.db", "data", "link.db", "taken.db"]);
  });
});

test("a copy whose rows contradict each other gets no name", async () => {
  await using place = await createPlace();
  await place.fill();
  using database = new DatabaseSync(join(place.folder, "data/siteward.db"));
  database.exec("pragma foreign_keys = off; delete from accounts where id = 1");
  await writeFile(place.file, "old");
  const run = await runInProcess(["backup", place.file, "--replace"], place.environment);
  expect(run).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^The copy is damaged: a row of \w+ refers to a row that is missing/),
  });
  expect(await readFile(place.file, "utf8")).toBe("old");
});

test("--replace replaces a file only once the new backup is complete, also through a symbolic link", async () => {
  await using place = await createPlace();
  await place.fill();
  await writeFile(place.file, "old");
  await symlink(place.file, join(place.folder, "newest.db"));
  const run = await runInProcess(["backup", join(place.folder, "newest.db"), "--replace", "--json"], place.environment);
  expect(JSON.parse(run.stdout)).toMatchObject({ file: place.file, accounts: 4 });
  using copy = new DatabaseSync(place.file);
  expect(copy.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("the next backup removes the partial file of one that was killed, whose name has another time", async () => {
  await using place = await createPlace();
  await place.fill();
  const backups = join(place.folder, "backups");
  await mkdir(backups);
  const words = ["backup", join(backups, "siteward-{time}.db")];
  const findPartial = async () => (await readdir(backups)).find((name) => name.endsWith(".partial"));
  await using program = startProgram(words, place.environment);
  const partial = await vi.waitUntil(findPartial, { timeout: 30_000, interval: 1 });
  await program.ended;
  // As it would be if the program had been killed, in another second than this one.
  for (const name of await readdir(backups)) await rm(join(backups, name));
  await writeFile(join(backups, partial), "");
  expect(await runInProcess(words, place.environment)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await findPartial()).toBe(undefined);
});

test.skipIf(process.getuid?.() !== 0)(
  "a backup is complete, and says so, if older ones cannot be deleted",
  async () => {
    await using place = await createPlace();
    await place.fill();
    const backups = join(place.folder, "backups");
    const old = join(backups, "siteward-20200101T000000Z.db");
    await mkdir(backups);
    await writeFile(old, "");
    // Whoever may write to this folder may delete only their own files.
    await chmod(backups, 0o1777);
    for (const path of [backups, old]) await chown(path, 1234, 1235);
    const words = ["backup", join(backups, "siteward-{time}.db"), "--keep", "1", "--json"];
    await using program = startWrapped(["setpriv", "--bounding-set=-fowner"], words, place.environment);
    const { exitCode, stdout, stderr } = await program.ended;
    expect(stderr).toMatch(/^The backup is complete\. Older ones could not be deleted: EPERM.*\.\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ accounts: 4, removed: [] });
    expect(exitCode).toBe(0);
    expect(await readLastBackup(place.environment.DATABASE_URL)).toBeDefined();
  },
);

test("--keep deletes the oldest backups of this name, and no other file", async () => {
  await using place = await createPlace();
  await place.fill();
  const others = ["siteward-notes.db", "siteward-20200101T000000Z.db.gz", "other-20200101T000000Z.db"];
  const old = ["siteward-20200101T000000Z.db", "siteward-20200102T000000Z.db", "siteward-20200103T000000Z.db"];
  const backups = join(place.folder, "backups");
  await mkdir(backups);
  for (const name of [...others, ...old]) await writeFile(join(backups, name), "");
  // A folder is none, whatever its name.
  await mkdir(join(backups, "siteward-20190101T000000Z.db"));
  const words = ["backup", join(backups, "siteward-{time}.db"), "--keep", "2", "--json"];
  const { file, removed } = JSON.parse((await runInProcess(words, place.environment)).stdout);
  expect(file).toMatch(/siteward-\d{8}T\d{6}Z\.db$/);
  expect(removed).toEqual(old.slice(0, 2).map((name) => join(backups, name)));
  const kept = ["siteward-20190101T000000Z.db", "siteward-20200103T000000Z.db", file.slice(backups.length + 1)];
  expect((await readdir(backups)).toSorted()).toEqual([...others, ...kept].toSorted());
});

test("a signal ends a backup at once and removes its partial file, and the next one says how far it is", async () => {
  await using place = await createPlace();
  await place.fill();
  using database = new DatabaseSync(join(place.folder, "data/siteward.db"));
  database.exec(`create table filler (bytes blob); insert into filler
    with recursive c (n) as (select 1 union all select n + 1 from c where n < 60) select randomblob(1000000) from c`);
  await using program = startProgram(["backup", place.file], place.environment);
  const isPartial = async () => (await readdir(place.folder)).some((name) => name.endsWith(".partial"));
  await vi.waitUntil(isPartial, { timeout: 30_000, interval: 1 });
  program.signal("SIGTERM");
  expect(await program.ended).toEqual({ exitCode: null, stdout: "", stderr: "Interrupted. No backup was made.\n" });
  expect((await readdir(place.folder)).filter((name) => name.startsWith("."))).toEqual([]);
  const bars: string[] = [];
  const redraw = (line: string) => void bars.push(line);
  expect(await runInProcess(["backup", place.file], place.environment, { redraw })).toMatchObject({ exitCode: 0 });
  expect(bars.join("\n")).toMatch(/copying megabytes: \d+ of 6\d/);
});

test("a PostgreSQL database is backed up and restored by its own tools, whose lines have no password", async () => {
  const environment = {
    DATABASE_URL: "postgres://siteward:s3cret@db.example:5433/sites?sslmode=require&pool_timeout=3",
  };
  expect(await runInProcess(["backup", "my backup.dump"], environment)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      "Back up a PostgreSQL database with its own tools, of its major version or a later one:\n\n" +
      "  pg_dump --format=custom --file='my backup.dump' --dbname='postgres://siteward@db.example:5433/sites?sslmode=require'\n",
  });
  const { exitCode, stderr } = await runInProcess(["restore", "my backup.dump"], environment);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "  createdb --maintenance-db='postgres://siteward@db.example:5433/postgres?sslmode=require'",
  );
  expect(stderr).toContain(
    "  pg_restore --exit-on-error --no-owner --dbname='postgres://siteward@db.example:5433/sites_restored?sslmode=require' 'my backup.dump'\n",
  );
  expect(stderr).not.toContain("s3cret");
});

/** A folder for the database, which is in `data`, and for backups. */
async function createPlace() {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "data/siteward.db");
  const environment = { DATABASE_URL: `file:${path}` };
  return {
    folder,
    file: join(folder, "backup.db"),
    environment,
    async fill() {
      await cp(template, join(folder, "data"), { recursive: true });
      await writeFile(join(folder, "taken.db"), "");
      await symlink(path, join(folder, "link.db"));
      await symlink(join(folder, "nothing.db"), join(folder, "dangling.db"));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The files that a test can change, with their sizes. */
async function listAll(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => "-",
      ),
    ),
  );
  return names.map((name, index) => `${name} ${sizes[index]}`).toSorted();
}
