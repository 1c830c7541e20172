import { describe, expect, it } from "vitest";
import { describeOnEveryEngine, engines, type TestDatabase } from "../../../test/support/engines.ts";
import { holdLock } from "../../../test/support/hold-lock.ts";
import { accountId, openTestAccount, openTestStorage } from "../../../test/support/storage.ts";
import { openDatabase } from "./database.ts";
import { migrate, planMigration } from "./migrate.ts";
import { type Migration, migrations, newestVersion } from "./schema.ts";
import { sql } from "./statement.ts";

const newest = newestVersion;
const later: Migration = {
  version: newest + 1,
  name: "later",
  sql: ({ integer }) => [
    sql`create table later (id ${integer})`,
    sql`alter table accounts add column later ${integer}`,
  ],
};

it("migrations are numbered from 1 without gaps", () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
});

describeOnEveryEngine("migrations", (engine) => {
  it("are all rolled back if one of them fails", async () => {
    await using place = await engine();
    const database = await openDatabase(place);
    const fails: Migration = { version: newest + 2, name: "fails", sql: () => [sql`not SQL`] };
    await migrate(database, migrations);
    await expect(migrate(database, [...migrations, later, fails])).rejects.toThrow("syntax error");
    expect((await migrate(database, [...migrations, later])).map(({ name }) => name)).toEqual(["later"]);
    await database.close();
  });

  it("have a plan that contains only what is missing", async () => {
    await using database = await engine({ isMigrated: true });
    const plan = await planMigration({ ...database, now: () => 1_700_000_000_123 }, [...migrations, later]);
    expect(plan).toEqual({
      from: newest,
      to: newest + 1,
      steps: [
        {
          title: `version ${newest + 1}: later`,
          statements: [
            expect.stringMatching(/^create table later \(id (integer|bigint)\)$/),
            expect.stringMatching(/^alter table accounts add column later (integer|bigint)$/),
            `insert into schema_migrations (version, name, applied_at) values (${newest + 1}, 'later', 1700000000123)`,
          ],
        },
      ],
    });
  });
});

describe("a migration of PostgreSQL next to a backup", () => {
  it("lets requests go on, and succeeds after the backup", async () => {
    await using storage = await openTestAccount(engines.postgres);
    const database = await openDatabase({ ...storage.database, allowsLongStatements: true });
    await using backup = await startBackup(storage.database);
    const migrating = migrate(database, [...migrations, later], { waits: { maxWaitMs: 30_000, pauseMs: 100 } });
    // Behind a migration that waits for the backup, a read would fail.
    for (const endMs = performance.now() + 1_300; performance.now() < endMs; ) await storage.accounts.get(accountId);
    await backup.release();
    expect((await migrating).map(({ name }) => name)).toEqual(["later"]);
    await database.close();
  });

  it("ends after a while, says who uses the tables, and has changed nothing", async () => {
    await using storage = await openTestStorage(engines.postgres);
    const database = await openDatabase({ ...storage.database, allowsLongStatements: true });
    await using _ = await startBackup(storage.database);
    await expect(
      migrate(database, [...migrations, later], { waits: { maxWaitMs: 0, pauseMs: 0 } }),
    ).rejects.toMatchObject({
      code: "tables_in_use",
      message: expect.stringMatching(
        /^The database could not be migrated for 0 seconds: pg_dump \(PID \d+, user \w+\) has used accounts since 20\S+Z\.$/,
      ),
    });
    await database.close();
  });
});

/** Locks a table as `pg_dump` does, until it ends. */
function startBackup({ databaseUrl }: TestDatabase) {
  const dump = { databaseUrl: `${databaseUrl}?application_name=pg_dump` };
  return holdLock(dump, "lock table accounts in access share mode");
}
