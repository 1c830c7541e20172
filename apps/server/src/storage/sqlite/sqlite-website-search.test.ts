import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { copyInstallation } from "../../../test/support/storage/copy-installation.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { readSearchParts } from "../../../test/support/storage/read-search-parts.ts";
import { openWithTestAuthor, type TestStorage } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { createAccountStore } from "../changes/account-store.ts";
import { createWebsiteStore } from "../changes/website-store.ts";
import { openDatabase } from "../engine/database.ts";
import { migrate } from "../engine/migrate.ts";
import { migrations } from "../engine/schema.ts";
import { maxSmall } from "../reads/website-search.ts";
import { blockIds } from "./sqlite-website-parts.ts";

/** Creates websites up to the end of the first block. Their domains contain only digits and "z". */
async function completeBlock({ websites }: TestStorage, accountId: number): Promise<void> {
  for (let number = 0, id = 1; (id + accountId) % blockIds !== 0; number += 1) {
    id = (await websites.create(accountId, newWebsite(`z${number}`))).website.id;
  }
}

/** Makes accounts so large that the index is searched. A search reads how many websites there are only to know that. */
async function enlarge({ execute }: Pick<TestDatabase, "execute">): Promise<void> {
  await execute(`update accounts set website_count = ${maxSmall + 1}`);
}

const request = { sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;

it("the search index contains every part of a complete block with the account of its website in front, and no other part", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const accounts = [await createTestAccount(storage), await createTestAccount(storage)];
  for (const accountId of accounts) {
    for (const domain of ["shop.example", "xn--bcher-kva.co.uk", `own-${accountId}.example`, "gone.example"]) {
      const { website } = await storage.websites.create(accountId, newWebsite(domain));
      if (domain === "gone.example") await storage.websites.delete(accountId, website.id);
    }
    expect(readSearchParts(storage.database).filter((part) => part.accountId === accountId)).toEqual([]);
    await completeBlock(storage, accountId);
  }
  const parts = readSearchParts(storage.database);
  for (const { term, accountId } of parts) expect(term).toMatch(new RegExp(`^${accountId}:[a-zü0-9.-]{1,3}$`));
  const partsOf = (account: number) => parts.filter(({ accountId }) => accountId === account).map(({ term }) => term);
  expect(partsOf(1)).toEqual(expect.arrayContaining(["1:sho", "1:xn-", "1:büc", "1:ü", "1:n-1", "1:op", "1:."]));
  expect(partsOf(2)).toEqual(expect.arrayContaining(["2:sho", "2:xn-", "2:n-2", "2:op", "2:."]));
  expect(partsOf(2)).not.toContain("2:n-1");
});

it("many websites are indexed with a statement for each 250, so that a copy takes half of the time", async () => {
  await using place = await engines.sqlite();
  await using storage = await openTestStorage(() => Promise.resolve(place));
  const accountId = await createTestAccount(storage);
  const statements: string[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void statements.push(query.sql) });
  const websites = Array.from({ length: 1_000 }, (_, index) => {
    return { accountId, id: index + 1, domain: `${index}.example`, unicodeDomain: null };
  });
  await database.write((transaction) => database.websiteSearch.load(transaction, websites));
  await database.close();
  expect(statements.filter((statement) => statement.includes("domain_parts"))).toHaveLength(5);
  expect(new Set(readSearchParts(place).map(({ websiteId }) => websiteId)).size).toBe(1_000);
});

it("a search for any term reads only parts of its own account", async () => {
  await using place = await engines.sqlite();
  await using storage = await openTestStorage(() => Promise.resolve(place));
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("shop.example"));
  await completeBlock(storage, accountId);
  await enlarge(place);
  const queries: CompiledQuery[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
  for (const search of ["s", "op", "shop", "p.ex", "absent", "-", "zzz", "ü", "büch"]) {
    for (const sortBy of ["id", "domain"] as const) {
      await createWebsiteStore(database).list(accountId, { ...request, sortBy, search });
    }
  }
  await database.close();
  const matches = queries.filter(({ sql }) => sql.includes("domain_parts"));
  expect(matches.length).toBeGreaterThanOrEqual(18);
  for (const { sql, parameters } of matches) {
    const phrase = parameters.find((parameter) => typeof parameter === "string");
    expect(sql).toMatch(/domain_parts match \?\s+and rowid between/);
    expect(phrase).toMatch(new RegExp(`^"(${accountId}:[a-zü0-9.-]{1,3} )+"$`));
  }
});

it("the query of small accounts reads the websites of a small account, and none of a large one", async () => {
  await using place = await engines.sqlite();
  const queries: CompiledQuery[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
  await migrate(database, migrations);
  const accountId = await createTestAccount({ accounts: createAccountStore(database) });
  const domains = Array.from({ length: 1_000 }, (_, index) => `${index}.example`);
  await fillAccount(database, accountId, domains);
  await createWebsiteStore(database).list(accountId, { ...request, search: "absent" });
  await database.close();
  await place.execute("pragma wal_checkpoint(truncate)");
  const file = place.databaseUrl.slice("file:".length);
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

it("a search finds a term only if its characters are adjacent in the domain, up to an entire domain of 253 characters", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const accountId = await createTestAccount(storage);
  const longest = `${"abc".repeat(20)}.${"bcd".repeat(21)}.${"cda".repeat(21)}.${"dab".repeat(20)}.e`;
  const longer = longest.padStart(253, "x-");
  for (const domain of ["abcd.bcde.com", longer, "com.e.co"]) {
    await storage.websites.create(accountId, newWebsite(domain));
  }
  await completeBlock(storage, accountId);
  await enlarge(storage.database);
  const find = async (search: string) =>
    (await storage.websites.list(accountId, { ...request, search })).websites.map(({ website }) => website.id);
  expect(await find("abcd")).toEqual([1]);
  expect(await find("abcde")).toEqual([]);
  expect(await find("e.com")).toEqual([1]);
  expect(await find("e.co")).toEqual([1, 3]);
  expect(await find("com.e.com")).toEqual([]);
  expect(await find(longer)).toEqual([2]);
  expect(await find(`${longer.slice(0, -1)}f`)).toEqual([]);
  expect(await find("dd")).toEqual([]);
});

it("the search index accepts the highest ids of accounts and websites", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const highest = 2_147_483_647;
  await storage.database.execute(`insert into accounts (id, name, email, website_count, last_website_id,
    last_website_created_at, created_at, updated_at) values (${highest}, 'Acme', 'a@acme.example', 0, 4294967168, 0, 0, 0)`);
  const { website } = await storage.websites.create(highest, newWebsite("shop.example"));
  // The last id of the last complete block.
  expect(website.id).toBe(4_294_967_169);
  expect(readSearchParts(storage.database)).not.toEqual([]);
  await storage.database.execute("update accounts set last_website_id = 4294967294");
  await storage.websites.create(highest, newWebsite("shop.example.com"));
  await enlarge(storage.database);
  const found = await storage.websites.list(highest, { ...request, search: "op.ex" });
  expect(found.websites.map(({ website }) => website.id)).toEqual([4_294_967_169, 4_294_967_295]);
  expect(await storage.websites.delete(highest, website.id)).toBe(true);
  using connection = new DatabaseSync(storage.database.databaseUrl.slice("file:".length));
  expect(readSearchParts(storage.database)).toEqual([]);
  expect(connection.prepare("select count(*) as count from domain_parts").get()).toEqual({ count: 0 });
});

it("a copy and the creates after it find the same websites, wherever the blocks of ids end", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  await storage.database.execute(`insert into accounts (id, name, email, website_count, last_website_id,
    last_website_created_at, created_at, updated_at) values (1, 'Acme', 'a@acme.example', 0, 120, 0, 0, 0)`);
  const ids: number[] = [];
  for (let number = 0; number < 300; number += 1) {
    ids.push((await storage.websites.create(1, newWebsite(`shop-${number}.example`))).website.id);
  }
  // The first is in the index already, the second is not, and the third is in the index after more creates.
  for (const id of [125, 300, 415]) expect(await storage.websites.delete(1, id)).toBe(true);
  await using copy = await engines.sqlite();
  await storage.close();
  await copyInstallation(storage.database.databaseUrl, copy.databaseUrl);
  const [original, other] = [await openWithTestAuthor(storage.database), await openWithTestAuthor(copy)];
  for (const [database, websites] of [
    [storage.database, original.websites],
    [copy, other.websites],
  ] as const) {
    const left = ids.filter((id) => ![125, 300, 415].includes(id));
    for (let number = 0; number < 140; number += 1) {
      left.push((await websites.create(1, newWebsite(`later-shop-${number}.example`))).website.id);
    }
    await enlarge(database);
    for (const sort of ["asc", "desc"] as const) {
      const expected = sort === "asc" ? left : left.toReversed();
      const found: number[] = [];
      for (let page = 1; page <= 5; page += 1) {
        const list = await websites.list(1, { ...request, search: "shop-", sort, perPage: 90, start: { page } });
        expect(list.total).toBe(left.length);
        found.push(...list.websites.map(({ website }) => website.id));
      }
      expect(found).toEqual(expected);
    }
  }
  await original.close();
  await other.close();
  await copy.execute("update accounts set website_count = (select count(*) from websites)");
  expect(await copy.findFaults()).toEqual([]);
});
