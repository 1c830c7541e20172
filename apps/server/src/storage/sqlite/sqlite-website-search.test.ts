import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage.ts";
import { callHere } from "../changes/call-change.ts";
import type { SqlQuery } from "../engine/connection.ts";
import { openDatabase } from "../engine/database.ts";
import { migrate } from "../engine/migrate.ts";
import { migrations } from "../engine/schema.ts";
import { maxSmall } from "../reads/website-search.ts";
import { createAccountStore } from "../stores/account-store.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

/** Makes accounts so large that the index is searched. A search reads how many websites there are only to know that. */
async function enlarge({ execute }: Pick<TestDatabase, "execute">): Promise<void> {
  await execute(`update accounts set website_count = ${maxSmall + 1}`);
}

const request = { sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;

it("the query of small accounts reads the websites of a small account, and none of a large one", async () => {
  await using place = await engines.sqlite();
  const queries: SqlQuery[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
  await migrate(database, migrations);
  const accountId = await createTestAccount({ accounts: createAccountStore(database) });
  const domains = Array.from({ length: 1_000 }, (_, index) => `${index}.example`);
  await fillAccount(database, accountId, domains);
  await createWebsiteStore(database, callHere(database)).list(accountId, { ...request, search: "absent" });
  await database.close();
  await place.execute("pragma wal_checkpoint(truncate)");
  const file = place.path;
  damageLeaf(file, "websites");
  using connection = new DatabaseSync(file);
  const search = queries.find(({ sql }) => sql.includes("instr"));
  // Each parameter is a string or a number.
  const parameters = (search?.parameters ?? []) as (string | number)[];
  const run = () => connection.prepare(search?.sql ?? "").all(...parameters);
  expect(run).toThrow("malformed");
  connection.exec(`update accounts set website_count = ${maxSmall + 1}`);
  expect(run()).toHaveLength(1);
});

/** Makes a page in the middle of a table unreadable, so that a query fails if it reads all rows. */
function damageLeaf(file: string, table: string): void {
  using connection = new DatabaseSync(file);
  const leaves = connection
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .all(table);
  const page = Number(leaves[Math.floor(leaves.length / 2)]?.["pageno"]);
  const pageSize = Number(connection.prepare("pragma page_size").get()?.["page_size"]);
  const bytes = readFileSync(file);
  bytes.fill(0xff, (page - 1) * pageSize, page * pageSize);
  writeFileSync(file, bytes);
}

it("the search index accepts the highest ids of accounts and websites", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const highest = 2_147_483_647;
  await storage.database.execute(`insert into accounts (id, name, email, website_count, last_website_id,
    last_website_created_at, created_at, updated_at) values (${highest}, 'Acme', 'a@acme.example', 0, 4294967168, 0, 0, 0)`);
  const { website } = await storage.websites.create(highest, newWebsite("shop.example"));
  // The last id of the last complete block.
  expect(website.id).toBe(4_294_967_169);
  using connection = new DatabaseSync(storage.database.path);
  const indexed = "select count(*) as count from domain_parts";
  expect(connection.prepare(indexed).get()).toEqual({ count: 1 });
  await storage.database.execute("update accounts set last_website_id = 4294967294");
  await storage.websites.create(highest, newWebsite("shop.example.com"));
  await enlarge(storage.database);
  const found = await storage.websites.list(highest, { ...request, search: "op.ex" });
  expect(found.websites.map(({ website }) => website.id)).toEqual([4_294_967_169, 4_294_967_295]);
  expect(await storage.websites.delete(highest, website.id)).toBe(true);
  expect(connection.prepare(indexed).get()).toEqual({ count: 0 });
});
