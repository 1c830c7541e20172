import { randomUUID } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { newestVersion } from "../src/storage/migrations/migrations.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";

describeOnEveryEngine("migrate", (engine) => {
  test("--dry-run prints the SQL of the missing migrations and changes nothing; run by hand, the SQL has the same result", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const dryRun = await runProgram(["migrate", "--dry-run"], environment);
    expect(dryRun).toMatchObject({ exitCode: 0, stderr: "" });
    expect(dryRun.stdout).toMatch(
      /^begin;\n-- the table of versions\ncreate table .*;\n-- version 5: initial\ncreate table /,
    );
    const json = await runInProcess(["migrate", "--dry-run", "--json"], environment);
    const { from, to, statements } = JSON.parse(json.stdout);
    expect({ from, to }).toEqual({ from: 0, to: newestVersion });
    // The times at which the migrations are applied differ between the two runs.
    const timeless = (text: string) => text.replaceAll(/\b\d{13}\b/g, "<time>");
    for (const statement of statements.slice(1, -1))
      expect(timeless(dryRun.stdout)).toContain(`\n${timeless(statement)};\n`);
    expect([statements[0], statements.at(-1)]).toEqual(["begin", "commit"]);
    expect(dryRun.stdout).toMatch(/\ncommit;\n$/);
    expect(statements.at(-2)).toMatch(/^insert into "schema_migrations" .* values \(\d+, '[\w-]+', \d{13}\)$/);
    await database.execute(dryRun.stdout);
    const after = await runInProcess(["migrate", "--json"], environment);
    expect(JSON.parse(after.stdout)).toEqual({ from: to, to });
    const website = "insert into websites values (1, 1, 'a.example', 0, null, 0, 0, '[]', '[]', 1, 0, 0, null)";
    await expect(database.execute(website)).rejects.toThrow(/foreign key/i);
    expect(await database.findFaults()).toEqual([]);
  });

  test("--dry-run of a database at the program's version prints no statement", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    await runInProcess(["migrate"], environment);
    const { stdout } = await runInProcess(["migrate", "--dry-run"], environment);
    expect(stdout).toBe(`-- The database is at version ${newestVersion}. Nothing would run.\n`);
    const json = await runInProcess(["migrate", "--dry-run", "--json"], environment);
    expect(JSON.parse(json.stdout)).toEqual({ from: newestVersion, to: newestVersion, statements: [] });
  });

  test("by many processes at once on a new database runs every migration once", async () => {
    await using database = await engine();
    const runs = Array.from({ length: 6 }, () =>
      runProgram(["migrate", "--json"], { DATABASE_URL: database.databaseUrl }),
    );
    const steps = (await Promise.all(runs)).map(({ exitCode, stdout, stderr }) => {
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      const { from, to } = JSON.parse(stdout);
      expect(to).toBe(newestVersion);
      return to - from;
    });
    expect(steps.filter((count) => count > 0)).toEqual([newestVersion]);
    expect(await database.findFaults()).toEqual([]);
  });
});

describe("migrate on PostgreSQL", () => {
  test("by a user who may not create tables names the privilege, and says what to do", async () => {
    await using database = await engines.postgres();
    const role = `guest_${randomUUID().slice(0, 8)}`;
    await database.execute(`create role ${role} login`);
    const databaseUrl = Object.assign(new URL(database.databaseUrl), { username: role, password: "" }).href;
    const result = await runInProcess(["migrate"], { DATABASE_URL: databaseUrl });
    await database.execute(`drop role ${role}`);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr.trim()).toBe(
      "The user of the database URL lacks a privilege: permission denied for schema public. Make the user of the URL the owner " +
        "of the database and its tables, or run `siteward-server migrate` as their owner.",
    );
  });
});

describe("migrate --dry-run", () => {
  test.for(["missing", "empty"])("creates nothing in a file that is %s", async (state) => {
    await using database = await engines.sqlite();
    const path = database.databaseUrl.slice("file:".length);
    if (state === "empty") writeFileSync(path, "");
    const { stdout } = await runInProcess(["migrate", "--dry-run", "--json"], { DATABASE_URL: database.databaseUrl });
    expect(JSON.parse(stdout).from).toBe(0);
    expect(readdirSync(dirname(path)).map((name) => [name, statSync(join(dirname(path), name)).size])).toEqual(
      state === "empty" ? [["siteward.db", 0]] : [],
    );
  });
});

describe("a database that is newer than the program", () => {
  test.for(["migrate", "migrate --dry-run", "start --port 0", "accounts list"])(
    "%s refuses it, names both versions and exits with 1",
    async (line) => {
      await using database = await engines.sqlite();
      const environment = { DATABASE_URL: database.databaseUrl };
      await runProgram(["migrate"], environment);
      using other = new DatabaseSync(database.databaseUrl.slice("file:".length));
      other.exec("insert into schema_migrations (version, name, applied_at) values (9999, 'later', 0)");
      const result = await runProgram(line.split(" "), environment);
      expect(result).toMatchObject({ exitCode: 1, stdout: "" });
      expect(result.stderr.trim().split("\n")).toEqual([
        expect.stringMatching(/version 9999, .* up to \d+ only\. Run the newer/),
      ]);
    },
  );
});
