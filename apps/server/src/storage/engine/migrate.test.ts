import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { openDatabase } from "./database.ts";
import { migrate, planMigration } from "./migrate.ts";
import { type Migration, migrations, newestVersion } from "./schema.ts";

const newest = newestVersion;
const later: Migration = {
  version: newest + 1,
  name: "later",
  sql: ({ integer }) => [`create table later (id ${integer})`, "update accounts set website_limit = null where id = 7"],
};

it("migrations are numbered from 1 without gaps", () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
});

describeOnEveryEngine("migrations", (engine) => {
  it("are all rolled back if one of them fails", async () => {
    await using place = await engine();
    const database = await openDatabase(place);
    const fails: Migration = { version: newest + 2, name: "fails", sql: () => ["not SQL"] };
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
            "update accounts set website_limit = null where id = 7",
            `insert into schema_migrations (version, name, applied_at) values (${newest + 1}, 'later', 1700000000123)`,
          ],
        },
      ],
    });
  });
});
