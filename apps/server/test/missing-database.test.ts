import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";

const needDatabase = [
  "start --port 0",
  "start --port 0 --workers 2",
  "accounts list",
  "accounts update 1 --name A",
  "keys create --account 1 --name A",
  "keys list",
  "keys revoke swk_nothing",
];
/** Those that `runInProcess` can run. */
const inProcess = needDatabase.filter((line) => !line.includes("--workers"));
const createDatabase = ["accounts create --name A --email a@example.com", "migrate"];

describeOnEveryEngine("a database that does not exist", (engine) => {
  test.for(needDatabase)("is refused by %s, which says how to name or create one and creates nothing", async (line) => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const result = await runProgram(line.split(" "), environment);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    const advice =
      /Set DATABASE_URL \(--database-url\) .* `siteward-server start --bootstrap` or `.* accounts create`\.$/;
    expect(result.stderr.trim().split("\n")).toEqual([expect.stringMatching(advice)]);
    const plan = await runInProcess(["migrate", "--dry-run", "--json"], environment);
    expect(JSON.parse(plan.stdout).from).toBe(0);
  });

  test.for(createDatabase)("is created by %s", async (line) => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    expect(await runProgram(line.split(" "), environment)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await runInProcess(["accounts", "list"], environment)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("is not created by an account that is not valid", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    await runInProcess(["accounts", "create", "--name", "A", "--email", "nonsense"], environment);
    const plan = await runInProcess(["migrate", "--dry-run", "--json"], environment);
    expect(JSON.parse(plan.stdout).from).toBe(0);
  });

  test.for([...needDatabase, ...createDatabase, "start --port 0 --bootstrap", "migrate --dry-run"])(
    "is not seen in the tables of another program: %s refuses them and changes nothing",
    async (line) => {
      await using database = await engine();
      await database.execute("create table schema_migrations (version text); create table theirs (name text)");
      const result = await runProgram(line.split(" "), { DATABASE_URL: database.databaseUrl });
      expect(result).toMatchObject({ exitCode: 1, stdout: "" });
      expect(result.stderr).toMatch(/another program\. Use the database of Siteward, or one that is empty\.\n$/);
      await database.execute("insert into schema_migrations values ('20260101'); create table accounts (name text)");
    },
  );
});

test("a PostgreSQL database that does not exist is reported with the command that creates it", async () => {
  await using database = await engines.postgres();
  const url = new URL(database.databaseUrl);
  url.pathname = "/not%20there";
  const { stdout, stderr, exitCode } = await runInProcess(["migrate"], { DATABASE_URL: url.href });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr.trim().split("\n")).toEqual([
    `Cannot open the PostgreSQL database not there on ${url.hostname}:${url.port}: database "not there" does not exist. ` +
      `Create it with \`createdb --host=${url.hostname} --port=${url.port} --username=${url.username} 'not there'\`.`,
  ]);
});

describe.each(["LATIN1", "SQL_ASCII"])("a PostgreSQL database with the encoding %s", (encoding) => {
  test.for(["migrate", "migrate --dry-run", "start --port 0", "start --port 0 --bootstrap"])(
    "is refused by %s, which says how to create one that stores every domain",
    async (line) => {
      await using server = await engines.postgres();
      const url = new URL(server.databaseUrl);
      const name = `siteward_${randomUUID().slice(0, 8)}_${encoding.toLowerCase()}`;
      url.pathname = `/${name}`;
      await server.execute(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
      try {
        const refused = await runInProcess(line.split(" "), { DATABASE_URL: url.href });
        expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
        expect(refused.stderr).toBe(
          `The PostgreSQL database ${name} on ${url.hostname}:${url.port} has the encoding ${encoding}, but Siteward needs ` +
            "UTF8. Create another one with `createdb --encoding UTF8 --locale C --template template0`, and move the data of " +
            "this one, if it has any, with `pg_dump` and `psql`.\n",
        );
      } finally {
        await server.execute(`drop database ${name} with (force)`);
      }
    },
  );
});

describe("a database file", () => {
  test.for(needDatabase)("is not created by %s, nor its folder, and the message has its path in full", async (line) => {
    using folder = makeFolder();
    const url = `file:${join(folder.path, "./data/../data/siteward.db")}`;
    const result = await runProgram(line.split(" "), { DATABASE_URL: url });
    expect(result.stderr).toContain(`The database file ${folder.path}/data/siteward.db does not exist. Set`);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test.for(inProcess)("that is empty stays empty after %s", async (line) => {
    using folder = makeFolder();
    const path = join(folder.path, "empty.db");
    writeFileSync(path, "");
    const result = await runInProcess(line.split(" "), { DATABASE_URL: `file:${path}` });
    expect(result.stderr).toContain(`The database file ${path} is empty. Set`);
    expect([readdirSync(folder.path), statSync(path).size]).toEqual([["empty.db"], 0]);
  });

  test.for([
    ["a table", "create table notes (name text)"],
    ["a table and a log", "pragma journal_mode = wal; create table notes (name text)"],
    ["a mark", "pragma application_id = 1196444487"],
    ["a version", "pragma user_version = 3"],
    ["the migrations of another program", "create table schema_migrations (version integer, dirty integer)"],
  ] as const)("of another program with %s is refused and stays the same", async ([, statements]) => {
    using folder = makeFolder();
    const path = join(folder.path, "theirs.db");
    using theirs = new DatabaseSync(path);
    theirs.exec(statements);
    theirs.close();
    const before = readFileSync(path);
    for (const line of [...inProcess, ...createDatabase, "migrate --dry-run"]) {
      const result = await runInProcess(line.split(" "), { DATABASE_URL: `file:${path}` });
      expect(result).toMatchObject({ exitCode: 1, stdout: "" });
      expect(result.stderr).toBe(
        `The file ${path} is a database of another program. Use the database of Siteward, or one that is empty.\n`,
      );
      expect(readdirSync(folder.path)).toEqual(["theirs.db"]);
    }
    expect(readFileSync(path)).toEqual(before);
  });

  test("that has no table and no mark yet is used", async () => {
    await using database = await engines.sqlite();
    await database.execute("create table notes (name text); drop table notes; vacuum");
    const environment = { DATABASE_URL: database.databaseUrl };
    const refused = await runInProcess(["accounts", "list"], environment);
    expect(refused.stderr).toContain("is empty. Set");
    expect(existsSync(`${dirname(database.databaseUrl.slice("file:".length))}/siteward.db-wal`)).toBe(false);
    expect(await runInProcess(["migrate"], environment)).toMatchObject({ exitCode: 0 });
  });
});

function makeFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "siteward-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
