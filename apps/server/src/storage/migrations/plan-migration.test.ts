import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { openDatabase } from "../database/open-database.ts";
import { openStorage } from "../open-storage.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { migrations, newestVersion } from "./migrations.ts";
import { planMigration } from "./plan-migration.ts";

const newest = newestVersion;

const later: Migration = {
  version: newest + 1,
  name: "later",
  sql: ({ integer }) => [`create table later (id ${integer})`, "update accounts set website_limit = null where id = 7"],
};

describeOnEveryEngine("the plan of a migration", (engine) => {
  it("contains only what is missing", async () => {
    await using database = await engine();
    await (await openStorage(database)).close();
    const plan = await planMigration({ ...database, now: () => 1_700_000_000_123 }, [...migrations, later]);
    expect(plan).toEqual({
      from: newest,
      to: newest + 1,
      steps: [
        {
          title: `version ${newest + 1}: later`,
          statements: [
            expect.stringMatching(/^create table later \(id (integer|bigint)\)$/),
            "update accounts set website_limit = null where id = 7",
            `insert into schema_migrations (version, name, applied_at) values (${newest + 1}, 'later', 1700000000123)`,
          ],
        },
      ],
    });
  });

  it("can be run as it is printed, and then nothing is missing", async () => {
    await using database = await engine();
    await (await openStorage(database)).close();
    const all = [...migrations, later];
    const { steps } = await planMigration(database, all);
    for (const statement of steps.flatMap(({ statements }) => statements)) await database.execute(statement);
    const open = await openDatabase(database);
    expect(await migrate(open, all)).toEqual([]);
    await open.close();
  });
});
