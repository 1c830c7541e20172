import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { describeOnEveryEngine, engines } from "../../../test/support/engines.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { readSearchParts } from "../../../test/support/storage/read-search-parts.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { openDatabase } from "../database/open-database.ts";
import { initial } from "./initial-0001.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { migrations } from "./migrations.ts";
import { planMigration } from "./plan-migration.ts";
import { searchByAccount } from "./search-by-account-0002.ts";

const accountIds = [1, 12, 2_147_483_647];
const domains = [
  "shop.example",
  "xn--bcher-kva.co.uk",
  "a.co",
  "shop-shop.shop",
  `${"a".repeat(63)}.`.repeat(3) + "b".repeat(61),
];

describeOnEveryEngine("version 2 of the database", (engine) => {
  it("finds the websites of version 1 right after the migration", async () => {
    await using place = await engine();
    await write(place, [initial]);
    await expectSearches(place);
    expect(await place.findFaults()).toEqual([]);
  });

  it("finds them also if the SQL of the dry run was run by hand", async () => {
    await using place = await engine();
    await write(place, [initial]);
    const { from, steps } = await planMigration(place, migrations);
    expect(from).toBe(initial.version);
    await place.execute(steps.flatMap(({ statements }) => statements).join(";\n"));
    await expectSearches(place);
  });
});

describe("version 2 of the database on SQLite", () => {
  it("finds all websites, even if there are more than one batch", async () => {
    await using place = await engines.sqlite();
    await write(place, [initial]);
    await place.execute(`
      insert into websites with recursive numbers (number) as (select 1 union all select number + 1 from numbers limit 10500)
      select 12, 100 + number, 'n' || number || '.example', 0, null, 0, 1, '[]', '[]', 1, 0, 0 from numbers`);
    await migrateTo(place, [initial, searchByAccount]);
    using connection = new DatabaseSync(place.databaseUrl.slice("file:".length));
    const found = connection
      .prepare(`select rowid from website_parts where website_parts match '"12:.ex 12:exa"' order by rowid`)
      .all();
    const stored = connection
      .prepare(
        "select account_id * 4294967296 + id as rowid from websites where account_id = 12 and domain like '%.exa%' order by id",
      )
      .all();
    expect(stored).toHaveLength(10_501);
    expect(found).toEqual(stored);
  });

  it("leads to the same search index as a new database has, and leaves nothing of the earlier ones", async () => {
    await using place = await engines.sqlite();
    await using fresh = await engines.sqlite();
    await write(place, [initial]);
    await place.execute(`
      insert into website_trigrams (rowid, domain) select account_id * 4294967296 + id, domain from websites;
      insert into website_grams (rowid, grams) select account_id * 4294967296 + id, 's h o p sh ho op' from websites`);
    await write(fresh, migrations);
    await migrateTo(place, migrations);
    await indexAll(fresh);
    expect(readSearchParts(place).length).toBeGreaterThan(1_000);
    expect(readSearchParts(place)).toEqual(readSearchParts(fresh));
    using connection = new DatabaseSync(place.databaseUrl.slice("file:".length));
    const left = connection
      .prepare("select name from sqlite_master where name glob 'website_*' or name glob 'domain_*'")
      .all();
    expect(left.map(({ name }) => name).sort()).toEqual(
      ["", "_config", "_data", "_docsize", "_idx"].map((end) => `domain_parts${end}`),
    );
  });
});

/** Creates a database with these migrations, and fills the columns of version 1 but not the search index. */
async function write(place: TestDatabase, versions: readonly Migration[]): Promise<void> {
  await migrateTo(place, versions);
  await place.execute(accountIds.flatMap((accountId) => [toAccount(accountId), ...toWebsites(accountId)]).join(";\n"));
}

async function migrateTo(place: TestDatabase, versions: readonly Migration[]): Promise<void> {
  const database = await openDatabase(place);
  await migrate(database, versions);
  await database.close();
}

/** Adds every website to the search index, like a copy. */
async function indexAll(place: TestDatabase): Promise<void> {
  const database = await openDatabase(place);
  await database.write(async (transaction) => {
    const all = database.build.selectFrom("websites").select(["account_id", "id", "domain"]);
    const websites = await transaction.read(all);
    for (const { account_id: accountId, id, domain } of websites) {
      await database.websiteSearch.load(transaction, { accountId, id, domain });
    }
  });
  await database.close();
}

function toAccount(id: number): string {
  return `insert into accounts (id, name, email, website_count, website_limit, last_website_id, last_website_created_at,
    created_at, updated_at) values (${id}, 'Acme', 'a@acme.example', ${domains.length}, null, ${domains.length}, 0, 0, 0)`;
}

function toWebsites(accountId: number): string[] {
  return domains.map(
    (domain, index) => `insert into websites (account_id, id, domain, privacy, password_hash, email, exclude_bots,
      exclude_params, exclude_ips, version, created_at, updated_at)
      values (${accountId}, ${index + 1}, '${domain}', 0, null, 0, 1, '[]', '[]', 1, 0, 0)`,
  );
}

async function expectSearches(place: TestDatabase): Promise<void> {
  const storage = await openWithTestAuthor(place);
  for (const accountId of accountIds) {
    const find = async (search: string) => {
      const request = { search, sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;
      return (await storage.websites.list(accountId, request)).websites.map(({ domain }) => domain);
    };
    for (const search of ["shop", "p.shop", "op", "-", "b", "bücher", "bb", "a.co", "absent", domains[4] ?? ""]) {
      const term = search.replace("bücher", "xn--bcher-kva");
      expect(await find(search)).toEqual(domains.filter((domain) => domain.includes(term)));
    }
    await storage.websites.create(accountId, newWebsite("new-shop.example"));
    await storage.websites.delete(accountId, 1);
    expect(await find("shop.")).toEqual(["shop-shop.shop", "new-shop.example"]);
  }
  await storage.close();
}
