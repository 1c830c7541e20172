import { describe, expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { testAuthor } from "../../../test/support/storage/with-test-author.ts";
import { openDatabase } from "../database/open-database.ts";
import { openStorage } from "../open-storage.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { migrations, newestVersion } from "./migrations.ts";

const newest = newestVersion;

describe("migrations", () => {
  it("are numbered from 1 without gaps", () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });
});

describeOnEveryEngine("migrations", (engine) => {
  it("run once, and keep the data", async () => {
    await using database = await engine();
    const ran: number[] = [];
    for (const _ of [1, 2]) {
      const storage = await openStorage({ ...database, onMigration: ({ version }) => ran.push(version) });
      await storage.accounts.create({ name: "Acme", email: "a@acme.example", websiteLimit: null }, testAuthor);
      await storage.close();
    }
    expect(ran).toEqual(migrations.map(({ version }) => version));
    const storage = await openStorage(database);
    expect(await storage.accounts.list()).toHaveLength(2);
    await storage.close();
  });

  it("refuse a database of a newer program, and do not change it", async () => {
    await using database = await engine();
    await (await openStorage(database)).close();
    await database.execute(
      `insert into schema_migrations (version, name, applied_at) values (${newest + 1}, 'later', 0)`,
    );
    await expect(openStorage(database)).rejects.toThrow(
      `The database is at version ${newest + 1}, but this program knows versions up to ${newest}`,
    );
    expect(await database.findFaults()).toEqual([]);
  });

  it("are all rolled back if one of them fails", async () => {
    await using place = await engine();
    const database = await openDatabase(place);
    const works: Migration = { version: newest + 1, name: "works", sql: () => ["create table later (id integer)"] };
    const fails: Migration = { version: newest + 2, name: "fails", sql: () => ["not SQL"] };
    await migrate(database, migrations);
    await expect(migrate(database, [...migrations, works, fails])).rejects.toThrow("syntax error");
    expect((await migrate(database, [...migrations, works])).map(({ name }) => name)).toEqual(["works"]);
    await database.close();
  });
});
