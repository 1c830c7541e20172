import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  chown,
  copyFile,
  mkdtempDisposable,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { describe, expect, inject, test } from "vitest";
import { newestVersion } from "../src/storage/engine/schema.ts";
import { recordLastBackup } from "../src/storage/moving/last-backup.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import { tables } from "../src/storage/tables/schema.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { startFaultyNetwork } from "./support/faulty-network.ts";
import { openSound, runBuiltDoctor, runDoctor } from "./support/run-doctor.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { pretendCitus } from "./support/storage/pretend-citus.ts";

const isRoot = process.getuid?.() === 0;
/** Root of a container often may not. A machine that must run everything can. */
const canMount =
  isRoot && (process.env["TEST_SITEWARD_PROGRAMS"] === "1" || spawnSync("unshare", ["--mount", "true"]).status === 0);
const sound = { exitCode: 0, stderr: "", faults: [] };
const notChecked = "Not checked because of a failure: clock, replicas, last_backup, keys.\n";

describeOnEveryEngine("doctor", (engine) => {
  test("says only ok on a sound installation, also while a server runs", async () => {
    await using database = await openSound(engine);
    expect(await runDoctor(database.databaseUrl)).toMatchObject(sound);
    // As a server does.
    const storage = await openStorage(database);
    expect(await runBuiltDoctor(database.databaseUrl)).toMatchObject(sound);
    await storage.close();
    expect((await database.run("doctor")).stdout).toMatch(/^(ok +\w+ +\S.*\n)+$/);
  });

  test("finds a database without tables, and creates none", async () => {
    await using empty = await engine();
    for (let run = 0; run < 2; run += 1) {
      const missing = /^failure database: The .+ (does not exist|contains no tables of Siteward)\. Set DATABASE_URL/;
      expect((await runDoctor(empty.databaseUrl)).faults).toContainEqual(expect.stringMatching(missing));
    }
  });
});

test("docs/operating.md lists the codes of doctor, in the order in which it prints them", async () => {
  await using database = await openSound(engines.sqlite);
  const page = await readFile(new URL("../../../docs/operating.md", import.meta.url), "utf8");
  const section = page.split(/\n##+ /).find((text) => text.startsWith("Doctor\n")) ?? "";
  const { findings } = await runDoctor(database.databaseUrl);
  expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)).toEqual(findings.map(({ code }) => code));
});

describe("doctor, about settings", () => {
  test("names each that is not valid, and checks the rest", async () => {
    await using database = await openSound(engines.sqlite);
    const wrong = { SITEWARD_PORT: "x", SITEWARD_HOSTS: "1" };
    const { exitCode, faults, findings } = await runDoctor(database.databaseUrl, wrong, ["--max-requests", "9"]);
    expect(exitCode).toBe(1);
    expect(faults).toEqual([
      expect.stringMatching(/^failure settings: SITEWARD_HOSTS is not a setting\. /),
      expect.stringMatching(/^failure settings: SITEWARD_PORT \(--port\) is "x"\. Set it to a whole number from 0 to /),
      expect.stringMatching(/^failure settings: SITEWARD_MAX_REQUESTS \(--max-requests\) is "9"\. /),
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ code: "database", status: "ok" }));
  });

  test("finds those that do not fit the others", async () => {
    await using database = await openSound(engines.sqlite);
    const replicas = "postgres://u:secret@a.example/b";
    const run = await runDoctor(database.databaseUrl, { SITEWARD_HOST: "0.0.0.0", DATABASE_REPLICA_URLS: replicas });
    expect(run.faults).toEqual([
      expect.stringMatching(/^warning settings: The server listens on 0\.0\.0\.0 .* can read the API keys/),
      expect.stringMatching(/^failure replicas: DATABASE_REPLICA_URLS .* needs a PostgreSQL database/),
    ]);
    expect(JSON.stringify(run)).not.toContain("secret");
  });

  test.for(["mysql://u:secret@h/d", "postgres://u:secret@127.0.0.1:1/d"])(
    "says once that the database of %s cannot be opened, without its password",
    async (databaseUrl) => {
      const run = await runDoctor(databaseUrl);
      expect(run).toMatchObject({ exitCode: 1, faults: [expect.stringMatching(/^failure database: /)] });
      expect(run.stderr).toContain(notChecked);
      expect(JSON.stringify(run)).not.toContain("secret");
    },
  );
});

describe("doctor, about a database file", () => {
  test("changes no byte and no time of it, nor of its log: closed, while a server writes, and after a crash", async () => {
    await using database = await openSound(engines.sqlite);
    const { databaseUrl } = database;
    const folder = dirname(database.path);
    const expectUnchanged = async (expected: object) => {
      const before = await readFiles(folder);
      expect(await runBuiltDoctor(databaseUrl)).toMatchObject(expected);
      expect(await readFiles(folder)).toEqual(before);
    };
    // As `VACUUM INTO` leaves a backup that is restored.
    await database.execute("pragma journal_mode = delete");
    await expectUnchanged(sound);
    await using server = startProgram(["start", "--port", "0"], database.environment);
    await server.printed("listening");
    await database.run("keys create --account 1 --name log");
    const sees = { faults: [expect.stringContaining("never expires")] };
    await expectUnchanged(sees);
    server.child.kill("SIGKILL");
    await server.ended;
    expect(await readdir(folder)).toContain("siteward.db-wal");
    await expectUnchanged(sees);
  });

  test.skipIf(!canMount).for([
    [24, "failure"],
    [500, "warning"],
  ] as const)("finds that its disk has only %s MB", async ([megabytes, status]) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder.path]);
    try {
      const path = join(folder.path, "small.db");
      await copyFile(inject("sqliteTemplate"), path);
      await recordLastBackup(path, new Date());
      expect((await runDoctor(`file:${path}`)).faults).toEqual([
        expect.stringMatching(`^${status} disk_space: The disk of ${folder.path} has \\d+ MiB left\\. .*df -h`),
      ]);
    } finally {
      execFileSync("umount", [folder.path]);
    }
  });

  const noBackup =
    /^warning last_backup: No backup of the database is recorded\. Run `siteward-server backup siteward-\{time\}\.db/;
  const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);

  test.for<[string, (path: string) => unknown, RegExp]>([
    [
      "may be read by every user",
      (path) => chmod(path, 0o644),
      /^warning files: \S+ has mode 0644: .* Run `chmod 600 \S+siteward\.db`\.$/,
    ],
    [
      "is in a folder that every user may change",
      (path) => chmod(dirname(path), 0o777),
      /^failure files: \S+ has mode 0777: .* Run `chmod go-w/,
    ],
    [
      "is at a later version",
      (path) => openSqliteFile(path).query("insert into schema_migrations values (99, 'later', 0)"),
      new RegExp(`^failure database: The .+ is at version 99, but .* up to ${newestVersion} only\\. Run the newer`),
    ],
    [
      "has a damaged table, which the other checks do not read",
      damageWebsites,
      /^failure database: .* disk image is malformed\. Check its disk or its server\. If .* restore a backup\.$/,
    ],
    [
      "was not backed up for three days",
      (path) => recordLastBackup(path, threeDaysAgo),
      new RegExp(`^warning last_backup: .* complete at ${threeDaysAgo.toISOString()}\\. That is 3 days ago\\. Run `),
    ],
    ["was never backed up", (path) => rm(`${path}.last-backup`), noBackup],
    ["has a record of its backup that is damaged", (path) => writeFile(`${path}.last-backup`, "null"), noBackup],
  ])("finds that it %s", async ([, change, expected]) => {
    await using database = await openSound(engines.sqlite);
    await change(database.path);
    const run = await runDoctor(database.databaseUrl);
    expect(run.faults).toEqual([expect.stringMatching(expected)]);
    expect(run.exitCode).toBe(expected.source.startsWith("^failure") ? 1 : 0);
    expect((await runDoctor(database.databaseUrl, {}, ["--strict"])).exitCode).toBe(1);
    await chmod(dirname(database.path), 0o700);
  });

  test.skipIf(!isRoot)("finds files of another user, and of two", async () => {
    await using database = await openSound(engines.sqlite);
    const path = database.path;
    await chown(path, 65_534, 65_534);
    expect((await runDoctor(database.databaseUrl)).faults).toEqual([
      expect.stringMatching(/^warning files: .* belongs to user 65534, but user 0 runs this, .*sudo -u '#65534'/),
    ]);
    using other = new DatabaseSync(path);
    other.exec("pragma journal_mode = wal; pragma user_version");
    await chown(`${path}-wal`, 0, 0);
    expect((await runDoctor(database.databaseUrl)).faults).toEqual([
      expect.stringMatching(/^failure files: \S+-wal belongs to user 0, but \S+ to user 65534\. Run `chown 65534 /),
    ]);
  });

  test("finds that it may not be written, and says it once", async () => {
    await using database = await openSound(engines.sqlite);
    await chmod(database.path, 0o400);
    const { faults } = await runBuiltDoctor(database.databaseUrl);
    expect(faults).toEqual([
      expect.stringMatching(/^failure database: .* may not write to .* Check DATABASE_URL .* and its user/),
    ]);
  });

  test("finds keys that never expire, of those that are valid, and names the flag that it was given", async () => {
    await using database = await openSound(engines.sqlite);
    expect((await database.run("doctor")).stdout).toMatch(/^ok +keys +All valid API keys but the first one expire\.$/m);
    for (const name of ["one", "two", "revoked", "expired", "new --expires 9d"])
      await database.run(`keys create --account 1 --name ${name}`);
    await database.execute(`update api_keys set revoked_at = 1 where name = 'revoked';
      update api_keys set expires_at = 1 where name = 'expired'`);
    const { stdout, stderr } = await runInProcess(`doctor --database-url ${database.databaseUrl}`, {});
    expect(stdout).toMatch(/^warning +keys +2 API keys never expire, such as (swk_\w{8})\./m);
    expect(stdout).toMatch(/Run `siteward-server keys update swk_\w{8} --exp/);
    expect(stderr).toMatch(/^Run the commands of siteward-server above with the same --database-url\.$/m);
  });
});

describe("doctor, about PostgreSQL", () => {
  test("finds a clock that differs from the database's", async () => {
    await using database = await openSound(engines.postgres);
    const behind = (ms: number) => ({
      NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-${ms}`,
    });
    const run = await runBuiltDoctor(database.databaseUrl, behind(30_000));
    expect(run.faults).toEqual([
      expect.stringMatching(/^warning clock: The .* (2\d|30) seconds .*timedatectl set-ntp true/),
    ]);
    const far = await runBuiltDoctor(database.databaseUrl, behind(300_000));
    expect(far).toMatchObject({ exitCode: 1, faults: [expect.stringMatching(/^failure clock: /)] });
  });

  test("changes no row, and finds that none may be changed", async () => {
    await using database = await openSound(engines.postgres);
    const count = () =>
      database.execute("select sum(n_tup_ins + n_tup_upd + n_tup_del), sum(n_dead_tup) as d from pg_stat_user_tables");
    const before = await count();
    expect(await runDoctor(database.databaseUrl)).toMatchObject(sound);
    expect(await count()).toEqual(before);
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await database.execute(`alter database ${name} set default_transaction_read_only = on`);
    const run = await runDoctor(database.databaseUrl);
    expect(run.faults).toEqual([
      expect.stringMatching(/^failure database: .* its transactions are read-only\. Turn off `default_tr/),
    ]);
    expect(run.stderr).toBe(`Doctor found 1 failure and 0 warnings. ${notChecked}`);
    expect(run.findings).toContainEqual(
      expect.objectContaining({ code: "clock", status: "skipped", depends_on: "database" }),
    );
  });

  test("names a node of Citus that is down, and says that the accounts of others are served", async () => {
    await using database = await openSound(engines.postgres);
    await pretendCitus(database, { isCoordinator: true, distributed: Object.keys(tables) });
    const lost = "connection to the remote node siteward@127.0.0.1:5502 failed with the following error: refused";
    await database.execute(`
      create function read_node() returns boolean language plpgsql as
        $$ begin raise exception using errcode = '08006', message = E'${lost}\\n\\tIs the server running?'; end $$;
      alter table websites rename to websites_of_node;
      create view websites as select read_node()`);
    expect((await runDoctor(database.databaseUrl)).faults).toEqual([
      expect.stringMatching(
        `^failure database: The .+ answers, but another node of Citus does not: ${lost}\\. The accounts of other nodes are served`,
      ),
    ]);
  });

  test("finds that the server stops answering, and ends", async () => {
    await using database = await engines.postgres({ isMigrated: true });
    await using network = await startFaultyNetwork(database.databaseUrl);
    network.freezeAt("extract(epoch");
    const run = await runDoctor(`${network.url}?statement_timeout=100`);
    expect(run.faults).toEqual([expect.stringMatching(/^failure database: /)]);
  });
});

/** The index in shared memory (`-shm`) is not data: each reader notes in it what it reads. */
async function readFiles(folder: string) {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mode, uid, size, mtimeMs } = await stat(path);
      const hash = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
      return name.endsWith("-shm") ? { name, mode, uid, size } : { name, mode, uid, size, mtimeMs, hash };
    }),
  );
}

async function damageWebsites(path: string): Promise<void> {
  using database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("select rootpage from sqlite_schema where name = 'websites'").get();
  await using file = await open(path, "r+");
  await file.write(Buffer.alloc(4096, "x"), 0, 4096, (Number(row?.["rootpage"]) - 1) * 4096);
}
