import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { WebsiteList } from "@siteward/service";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine, engines, type TestDatabase } from "./support/engines.ts";
import { lockTable, untilBlocked } from "./support/hold-lock.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { fillInstallation } from "./support/storage/fill-installation.ts";
import { pretendCitus } from "./support/storage/pretend-citus.ts";
import { readInstallation } from "./support/storage/read-installation.ts";
import { newWebsite, openWithTestAuthor } from "./support/storage.ts";

/** More than are read at once. */
const websiteCount = 1_100;
const stopIt = "Stop the server and every other program that uses it, and run the same command again.";

test("copies from and to every engine have the same rows and checksums, and are searched and changed like the original", async () => {
  const opened = [engines.sqlite, engines.postgres, engines.postgres, engines.sqlite, engines.sqlite];
  await using databases = new AsyncDisposableStack();
  const [original, ...copies] = await Promise.all(opened.map(async (open) => databases.use(await open())));
  if (original === undefined) throw new Error("There is an original.");
  await fillInstallation(original.databaseUrl, websiteCount);
  const rows = await readInstallation(original.databaseUrl);
  const found = await searchEverything(original.databaseUrl);
  const expected = Object.fromEntries(
    Object.entries(rows)
      .filter(([name]) => name !== "versions")
      .map(([name, all]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), digest(all)]),
  );
  let from = original;
  for (const to of copies) {
    const { exitCode, stdout, stderr } = await runInProcess(`${words(from, to)} --json`, {});
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(expected);
    expect(await readInstallation(from.databaseUrl)).toEqual({ ...rows, versions: expect.anything() });
    expect(await readInstallation(to.databaseUrl)).toEqual({ ...rows, versions: expect.anything() });
    expect(await searchEverything(to.databaseUrl)).toEqual(found);
    expect(await to.findFaults()).toEqual([]);
    from = to;
  }
  const others: WebsiteList[][] = [];
  for (const { databaseUrl, execute, findFaults } of [original, ...copies]) {
    await using storage = await openWithTestAuthor({ databaseUrl, now: () => 0 });
    // Some fill a block of the search index, and the last one does not.
    for (let number = 0; number < 150; number += 1)
      await storage.websites.create(1, newWebsite(`shop-79-${number}.example`));
    for (const id of [1, 2, 3]) expect(await storage.websites.delete(2, id)).toBe(true);
    // So large that the index is searched.
    await execute("update accounts set website_count = website_count + 2000 where id < 3");
    others.push(await searchEverything(databaseUrl));
    await execute("update accounts set website_count = website_count - 2000 where id < 3");
    expect(await findFaults()).toEqual([]);
  }
  for (const other of others) expect(other).toEqual(others[0]);
});

describeOnEveryEngine("copy from", (engine) => {
  test("a database that a server opens meanwhile is a copy of all that the server has stored, or none", async () => {
    await using source = await filled(engine);
    await using destination = await engines.postgres({ isMigrated: true });
    await using lock = await lockTable(destination, "schema_migrations");
    const copying = runInProcess(words(source, destination), {});
    await untilBlocked(destination);
    // Whatever the URL says, the connections of this program are recognized.
    const name = source.engine === "postgres" ? "?application_name=ours" : "";
    const environment = { DATABASE_URL: `${source.databaseUrl}${name}` };
    await using server = startProgram(["start", "--port", "0", "--json"], environment);
    const hasStarted = await Promise.race([server.printed("\n").then(() => true), server.ended.then(() => false)]);
    await lock.release();
    const { exitCode, stderr } = await copying;
    expect([hasStarted, exitCode]).toEqual(source.engine === "postgres" ? [true, 1] : [false, 0]);
    if (hasStarted) expect(stderr).toContain(stopIt);
    else expect((await server.ended).stderr).toContain("database is locked");
    const copied = await readInstallation(destination.databaseUrl);
    expect(copied.accounts).toHaveLength(hasStarted ? 0 : 4);
  });

  test("a source with nothing to copy, or of another version, is refused, and creates nothing", async () => {
    await using source = await engine();
    await using destination = await engine();
    await expectRefusal(words(source, destination), "so there is nothing to copy. Check --from.");
    if (source.engine === "sqlite") expect(existsSync(source.path)).toBe(false);
    // Nobody has just left it: PostgreSQL shows a connection for a moment after its end.
    await using empty = await engine({ isMigrated: true });
    await expectRefusal(words(empty, destination), "The source contains no account, so there is nothing to copy");
    await using later = await engine({ isMigrated: true });
    await later.execute("insert into schema_migrations (version, name, applied_at) values (9999, 'later', 0)");
    await expectRefusal(words(later, destination), "The database is at version 9999");
    await expectMigratable(destination);
  });
});

describeOnEveryEngine("copy to", (engine) => {
  test("a database with accounts is refused and not changed", async () => {
    await using source = await filled(engine);
    await using destination = await filled(engine);
    const before = await readInstallation(destination.databaseUrl);
    await expectRefusal(words(source, destination), "Use an empty database, or a file that does not exist, for --to.");
    expect(await readInstallation(destination.databaseUrl)).toEqual(before);
  });

  test("a database is all or nothing: if it fails, nothing is left", async () => {
    await using source = await filled(engine);
    await using destination = await engine();
    // A website without its account is refused once others are copied.
    await source.execute(
      source.engine === "sqlite"
        ? "pragma foreign_keys = off; delete from accounts where id = 2"
        : "alter table accounts disable trigger all; delete from accounts where id = 2",
    );
    expect(await runInProcess(words(source, destination), {})).toMatchObject({ exitCode: 1, stdout: "" });
    await expectMigratable(destination);
    if (destination.engine === "sqlite") expect(readdirSync(dirname(destination.path))).toEqual([]);
  });
});

describe("copy", () => {
  test("refuses a file that a server has open, and the server goes on", async () => {
    await using source = await filled(engines.sqlite);
    await using destination = await engines.postgres();
    await using server = startProgram(["start", "--port", "0", "--json"], source.environment);
    const { url } = JSON.parse(await server.printed("\n"));
    await expectRefusal(words(source, destination), stopIt);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await expectMigratable(destination);
  });

  test("does not change a database of another program", async () => {
    await using source = await filled(engines.sqlite);
    await using destination = await engines.postgres();
    await destination.execute("create table accounts (name text)");
    await expectRefusal(words(source, destination), "Use the database of Siteward, or one that is empty.");
    // Fails if the copy has created one of these tables.
    await destination.execute("create table schema_migrations (name text); create table websites (name text)");
  });

  test("refuses a source that does not tell who is connected to it", async () => {
    await using source = await filled(engines.postgres);
    await using destination = await engines.sqlite();
    await source.execute(`create schema hidden;
      create view hidden.pg_stat_activity as select * from pg_catalog.pg_stat_activity where false`);
    const databaseUrl = `${source.databaseUrl}?options=${encodeURIComponent("-c search_path=hidden,pg_catalog,public")}`;
    await expectRefusal(words({ databaseUrl }, destination), "The source does not tell who is connected to it");
    await pretendCitus(source, { isCoordinator: true, distributed: ["accounts"] });
    await expectRefusal(words(source, destination), "distributed over nodes of Citus");
    await expectMigratable(destination);
  });

  test("that differs from its source names the table and the account, and stores nothing", async () => {
    await using source = await filled(engines.sqlite);
    await using destination = await engines.postgres({ isMigrated: true });
    await destination.execute(`
      create function spoil() returns trigger language plpgsql as $$ begin new.version = 99; return new; end $$;
      create trigger spoils before insert on websites for each row when (new.account_id = 2) execute function spoil()`);
    await expectRefusal(
      words(source, destination),
      "The copy of websites differs from its source, first in account 2.",
    );
    expect((await readInstallation(destination.databaseUrl)).accounts).toEqual([]);
  });
});

type Named = Pick<TestDatabase, "databaseUrl">;

async function filled(engine: (typeof engines)["sqlite"]): Promise<TestDatabase> {
  const database = await engine();
  await fillInstallation(database.databaseUrl, 6);
  return database;
}

function words(source: Named, destination: Named): string {
  return `copy --from ${source.databaseUrl} --to ${destination.databaseUrl}`;
}

/** Searches every account of `fillInstallation` for many kinds of terms. */
async function searchEverything(databaseUrl: string): Promise<WebsiteList[]> {
  const { websites, close } = await openWithTestAuthor({ databaseUrl });
  const found: WebsiteList[] = [];
  for (const accountId of [1, 2, 3, 4, 5]) {
    for (const search of ["müller", "ÜLL", "例-79", "blog.例", "shop-79", "xn--", "7", "er-4", "later", "no-such"]) {
      for (const sortBy of ["id", "domain"] as const)
        found.push(await websites.list(accountId, { search, sortBy, sort: "asc", perPage: 100, start: { page: 1 } }));
    }
  }
  await close();
  return found;
}

/** Returns the expected digest of a table with these rows: one line of JSON per row, with byte strings in hexadecimal. */
function digest(rows: readonly object[]) {
  const lines = rows.map((row) => {
    const values: unknown[] = Object.values(row);
    const written = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value));
    return `${JSON.stringify(written)}\n`;
  });
  return { count: rows.length, sha256: createHash("sha256").update(lines.join("")).digest("hex") };
}

async function expectRefusal(line: string, reason: string): Promise<void> {
  const result = await runInProcess(line, {});
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr.trim().split("\n")).toEqual([expect.stringContaining(reason)]);
}

/** Checks that nothing was created in it, not even the table of versions. */
async function expectMigratable(database: TestDatabase): Promise<void> {
  expect((await database.run("migrate --dry-run")).stdout).toContain("\n-- the table of versions\n");
}
