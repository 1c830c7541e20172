import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { collectPlan } from "../../../test/support/storage/collect-plan.ts";
import { openDatabase } from "../database/open-database.ts";
import { openStorage } from "../open-storage.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { migrations, newestVersion } from "./migrations.ts";
import { planMigration } from "./plan-migration.ts";

const newest = newestVersion;

/** Contains every kind of value that Kysely writes as a parameter. */
const later: Migration = {
  version: newest + 1,
  name: "it's later",
  async up(transaction) {
    const { build } = transaction;
    await transaction.write(build.schema.createTable("later").addColumn("id", "integer"));
    const rename = build.updateTable("accounts").set({ name: "O'Brien", website_limit: null });
    await transaction.write(rename.where("id", "in", [7, 8]));
  },
};

describeOnEveryEngine("the plan of a migration", (engine) => {
  it("contains only what is missing, with every value as a literal", async () => {
    await using database = await engine();
    await (await openStorage(database)).close();
    const plan = await collectPlan({ ...database, now: () => 1_700_000_000_123 }, [...migrations, later]);
    expect(plan).toEqual({
      from: newest,
      to: newest + 1,
      steps: [
        {
          title: `version ${newest + 1}: it's later`,
          statements: [
            'create table "later" ("id" integer)',
            `update "accounts" set "name" = 'O''Brien', "website_limit" = null where "id" in (7, 8)`,
            `insert into "schema_migrations" ("version", "name", "applied_at") ` +
              `values (${newest + 1}, 'it''s later', 1700000000123)`,
          ],
        },
      ],
    });
  });

  it("is told statement by statement, and waits for a slow reader, so that it needs no memory for all of them", async () => {
    await using database = await engine();
    const told: string[] = [];
    const tellSlowly = async (text: string) => {
      await setTimeout(10);
      told.push(text);
    };
    const toldBefore: number[] = [];
    const watching: Migration = {
      ...later,
      async up(...parameters) {
        toldBefore.push(told.length);
        await later.up(...parameters);
        toldBefore.push(told.length);
      },
    };
    const options = { ...database, now: () => 0 };
    const reader = { onStart: async () => undefined, onStep: async () => undefined, onStatement: tellSlowly };
    await planMigration(options, [...migrations, watching], reader);
    const first = told.indexOf('create table "later" ("id" integer)');
    expect(toldBefore).toEqual([first, first + 2]);
  });

  it("can be run as it is printed, and then nothing is missing", async () => {
    await using database = await engine();
    await (await openStorage(database)).close();
    const all = [...migrations, later];
    const { steps } = await collectPlan(database, all);
    for (const statement of steps.flatMap(({ statements }) => statements)) await database.execute(statement);
    const open = await openDatabase(database);
    expect(await migrate(open, all)).toEqual([]);
    await open.close();
  });
});
