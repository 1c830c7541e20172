import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { openDatabase } from "../database/open-database.ts";
import { initial } from "./initial-0001.ts";
import { migrate } from "./migrate.ts";
import { searchByAccount } from "./search-by-account-0002.ts";

const before = 200;
const after = 100;

it("version 3 finds the websites of version 2, also in the block that later creates complete", async () => {
  await using place = await engines.sqlite();
  await fillVersion2(place);
  const storage = await openWithTestAuthor(place);
  const accountId = 1;
  const ids = Array.from({ length: before }, (_, index) => index + 1);
  const expectAll = async () => {
    for (const sortBy of ["id", "domain"] as const) {
      const request = { search: "shop-", sortBy, sort: "asc", perPage: 400, start: { page: 1 } } as const;
      const { websites, total } = await storage.websites.list(accountId, request);
      expect(websites.map(({ id }) => id).sort((left, right) => left - right)).toEqual(ids);
      expect(total).toBe(ids.length);
    }
  };
  await expectAll();
  // One is before the end of the last complete block, the other after it. The index contains both.
  for (const id of [100, 190]) {
    expect(await storage.websites.delete(accountId, id)).toBe(true);
    ids.splice(ids.indexOf(id), 1);
  }
  await expectAll();
  for (let number = 0; number < after; number += 1) {
    ids.push((await storage.websites.create(accountId, newWebsite(`new-shop-${number}.example`))).website.id);
  }
  await expectAll();
  await storage.close();
  expect(await place.findFaults()).toEqual([]);
});

it("version 3 leaves the merging of the search index to the program, as a new database does", async () => {
  await using place = await engines.sqlite();
  await using fresh = await engines.sqlite();
  await fillVersion2(place);
  for (const { databaseUrl } of [place, fresh]) await (await openWithTestAuthor({ databaseUrl })).close();
  const readConfig = ({ databaseUrl }: TestDatabase) => {
    using connection = new DatabaseSync(databaseUrl.slice("file:".length));
    return connection.prepare("select k, v from domain_parts_config where k glob '*merge' order by k").all();
  };
  expect(readConfig(place)).toEqual([
    { k: "automerge", v: 0 },
    { k: "crisismerge", v: 200 },
  ]);
  expect(readConfig(fresh)).toEqual(readConfig(place));
});

/** Creates a database of version 2, which indexes each website by itself. */
async function fillVersion2(place: TestDatabase): Promise<void> {
  const database = await openDatabase(place);
  await migrate(database, [initial]);
  await database.write(async (transaction) => {
    const { build } = database;
    await transaction.write(
      sql`insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at, created_at, updated_at)
        values (1, 'Acme', 'a@acme.example', ${before}, ${before}, 0, 0, 0)`,
    );
    const { passwordHash, ...settings } = newWebsite("");
    for (let id = 1; id <= before; id += 1) {
      const domain = `shop-${id}.example`;
      const row = { ...settings, domain, exclude_params: "[]", exclude_ips: "[]", password_hash: passwordHash };
      const stamps = { account_id: 1, id, version: 1, created_at: 0, updated_at: 0 };
      await transaction.write(build.insertInto("websites").values({ ...row, ...stamps }));
    }
  });
  await migrate(database, [initial, searchByAccount]);
  await database.close();
}
