import { randomUUID } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { newestVersion } from "../src/storage/engine/schema.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { readJson, runInProcess as run } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";

/** Commands that need a database that has its tables. */
const needDatabase = [
  "start --port 0",
  "accounts list",
  "accounts update 1 --name A",
  "keys create --account 1 --name A",
  "keys list",
  "keys revoke swk_nothing",
  "audit --account 1",
];
/** The SQL of a database without tables. */
const fromNothing = /^begin;\n-- the table of versions\n/;
const createDatabase = ["accounts create --name A --email a@example.com", "migrate"];

describeOnEveryEngine("migrate", (engine) => {
  test("prints both versions once, and then that there is nothing to do", async () => {
    await using database = await engine();
    expect(await database.operate("migrate")).toEqual({ from: 0, to: newestVersion });
    const again = { from: newestVersion, to: newestVersion };
    expect(await database.operate("migrate")).toEqual(again);
    expect((await database.run("migrate")).stdout).toBe(`The database is at version ${newestVersion}.\n`);
    expect((await database.run("migrate --dry-run")).stdout).toBe(
      `-- The database is at version ${newestVersion}. Nothing would run.\n`,
    );
  });

  test("--dry-run prints the SQL of the missing migrations and changes nothing; run by hand, the SQL has the same result", async () => {
    await using database = await engine();
    const dryRun = await database.run("migrate --dry-run");
    expect(dryRun).toMatchObject({ exitCode: 0, stderr: "" });
    expect(dryRun.stdout).toMatch(
      /^begin;\n-- the table of versions\ncreate table [^;]*;\n-- version 1: initial\ncreate table /,
    );
    expect(dryRun.stdout).toMatch(
      /\ninsert into schema_migrations .* values \(\d+, '[\w-]+', \d{13}\);\n(?:-- .*\n)*commit;\n$/,
    );
    await database.execute(dryRun.stdout);
    expect((await database.run("migrate")).stdout).toBe(`The database is at version ${newestVersion}.\n`);
    const website = "insert into websites values (1, 1, 'a.example', 0, null, 0, 0, '[]', '[]', 1, 0, 0, null)";
    await expect(database.execute(website)).rejects.toThrow(/foreign key/i);
    expect(await database.findFaults()).toEqual([]);
  });

  test("by many processes at once on a new database runs every migration once", async () => {
    await using database = await engine();
    const runs = [1, 2, 3].map(() => runProgram(["migrate", "--json"], database.environment));
    const steps = (await Promise.all(runs)).map((result) => {
      const { from, to } = readJson(result);
      expect(to).toBe(newestVersion);
      return to - from;
    });
    expect(steps.filter((count) => count > 0)).toEqual([newestVersion]);
    expect(await database.findFaults()).toEqual([]);
  });
});

describeOnEveryEngine("a database without tables", (engine) => {
  test("is refused by each command that needs one, which says how to name or create one and creates nothing", async () => {
    await using database = await engine();
    const advice =
      /^[^\n]*Set DATABASE_URL \(--database-url\) .* `siteward-server start --bootstrap` or `.* accounts create`\.\n$/;
    for (const line of needDatabase) {
      const refusal = { exitCode: 1, stdout: "", stderr: expect.stringMatching(advice) };
      expect([line, await database.run(line)]).toEqual([line, refusal]);
    }
    await database.run("accounts create --name A --email nonsense");
    expect((await database.run("migrate --dry-run")).stdout).toMatch(fromNothing);
  });

  test("is not what the tables of another program are taken for: each command refuses them and changes nothing", async () => {
    await using database = await engine();
    await database.execute("create table schema_migrations (version text); create table theirs (name text)");
    const refusal = /another program\. Use the database of Siteward, or one that is empty\.\n$/;
    for (const line of [...needDatabase, ...createDatabase, "start --port 0 --bootstrap", "migrate --dry-run"]) {
      const stderr = expect.stringMatching(refusal);
      expect(await database.run(line)).toEqual({ exitCode: 1, stdout: "", stderr });
    }
    await database.execute("insert into schema_migrations values ('20260101'); create table accounts (name text)");
  });
});

describe("a PostgreSQL database", () => {
  test("that does not exist is reported with the command that creates it", async () => {
    await using database = await engines.postgres();
    const url = new URL(database.databaseUrl);
    url.pathname = "/not%20there";
    const { stdout, stderr, exitCode } = await run("migrate", { DATABASE_URL: url.href });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toBe(
      `Cannot open the PostgreSQL database not there on ${url.hostname}:${url.port}: database "not there" does not exist. ` +
        `Create it with \`createdb --host=${url.hostname} --port=${url.port} --username=${url.username} ` +
        "--encoding=UTF8 --locale=C --template=template0 'not there'`.\n",
    );
  });

  test("whose user may not create tables is reported with the privilege, and what to do", async () => {
    await using database = await engines.postgres();
    const role = `guest_${randomUUID().slice(0, 8)}`;
    await database.execute(`create role ${role} login`);
    const databaseUrl = Object.assign(new URL(database.databaseUrl), { username: role, password: "" }).href;
    const result = await run("migrate", { DATABASE_URL: databaseUrl });
    await database.execute(`drop role ${role}`);
    expect(result).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "The user of the database URL lacks a privilege: permission denied for schema public. Make the user of the URL the owner " +
        "of the database and its tables, or run `siteward-server migrate` as their owner.\n",
    });
  });

  test("with another encoding is refused, with how to create one that stores every domain", async () => {
    await using server = await engines.postgres();
    const name = `siteward_${randomUUID().slice(0, 8)}_latin1`;
    const url = Object.assign(new URL(server.databaseUrl), { pathname: `/${name}` });
    await server.execute(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    for (const line of ["migrate", "migrate --dry-run", "start --port 0 --bootstrap"])
      expect(await run(line, { DATABASE_URL: url.href })).toEqual({
        exitCode: 1,
        stdout: "",
        stderr:
          `The PostgreSQL database ${name} on ${url.hostname}:${url.port} has the encoding LATIN1, but Siteward needs ` +
          "UTF8. Create another one with `createdb --encoding UTF8 --locale C --template template0`, and move the data of " +
          "this one, if it has any, with `pg_dump` and `psql`.\n",
      });
    await server.execute(`drop database ${name} with (force)`);
  });
});

describe("a database file", () => {
  test("that does not exist is not created, nor its folder, and the message has its path in full", async () => {
    await using place = await engines.sqlite();
    const folder = dirname(place.path);
    const environment = { DATABASE_URL: `file:${folder}/./data/../data/siteward.db` };
    const named = `The database file ${folder}/data/siteward.db does not exist. Set`;
    for (const line of [...needDatabase, "start --port 0 --workers 2"]) {
      const stderr = expect.stringContaining(named);
      expect(await run(line, environment)).toEqual({ exitCode: 1, stdout: "", stderr });
    }
    expect((await run("migrate --dry-run", environment)).stdout).toMatch(fromNothing);
    expect(await readdir(folder)).toEqual([]);
  });

  test("that is empty stays empty, unless a command creates its tables", async () => {
    await using place = await engines.sqlite();
    await writeFile(place.path, "");
    for (const line of needDatabase) expect((await place.run(line)).stderr).toContain(`${place.path} is empty. Set`);
    expect((await place.run("migrate --dry-run")).stdout).toMatch(fromNothing);
    expect([await readdir(dirname(place.path)), (await stat(place.path)).size]).toEqual([["siteward.db"], 0]);
  });

  test("with the mark of another program is refused and stays the same", async () => {
    await using place = await engines.sqlite();
    await place.execute("pragma application_id = 1196444487");
    const before = await readFile(place.path);
    const stderr = `The file ${place.path} is a database of another program. Use the database of Siteward, or one that is empty.\n`;
    for (const line of [...needDatabase, ...createDatabase, "migrate --dry-run"]) {
      expect(await place.run(line)).toEqual({ exitCode: 1, stdout: "", stderr });
      expect(await readdir(dirname(place.path))).toEqual(["siteward.db"]);
    }
    expect(await readFile(place.path)).toEqual(before);
  });

  test("that is newer than the program is refused, with both versions", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    await database.execute("insert into schema_migrations values (9999, 'later', 0)");
    const stderr = expect.stringMatching(/^[^\n]*version 9999, .* up to \d+ only\. Run the newer[^\n]*\n$/);
    for (const line of ["migrate", "migrate --dry-run", "start --port 0", "accounts list"])
      expect(await database.run(line)).toEqual({ exitCode: 1, stdout: "", stderr });
  });
});
