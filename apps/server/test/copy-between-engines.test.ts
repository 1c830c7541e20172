import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStorage } from "../src/storage/open-storage.ts";
import { tables as described } from "../src/storage/tables/schema.ts";
import { engines } from "./support/engines.ts";
import { runProgram } from "./support/run-program.ts";
import { fillInstallation } from "./support/storage/fill-installation.ts";
import type { TestDatabase } from "./support/test-database.ts";

/** 11,200 in one account: more than the 10,000 to which a list counts. 100,000 take 45 seconds of processor time. */
const websiteCount = Number(process.env["TEST_SITEWARD_COPIED_WEBSITES"] ?? 14_000);

test("websites copied from SQLite to PostgreSQL and back are the same file, except for the order in indexes", async () => {
  await using first = await engines.sqlite();
  await using middle = await engines.postgres();
  await using last = await engines.sqlite();
  await fillInstallation(first.databaseUrl, { websiteCount });
  const there = await copy(first, middle);
  const back = await copy(middle, last);
  process.stdout.write(`${websiteCount} websites: to PostgreSQL ${there.ms} ms, to SQLite ${back.ms} ms\n`);
  expect(back.result).toEqual(there.result);
  expect(dump(last)).toEqual(dump(first));
  expect(await middle.findFaults()).toEqual([]);
  expect(await last.findFaults()).toEqual([]);
  await expectSameSearches(first, last);
}, 600_000);

async function copy(source: TestDatabase, destination: TestDatabase) {
  const startMs = performance.now();
  const { exitCode, stdout, stderr } = await runProgram(
    ["copy", "--from", source.databaseUrl, "--to", destination.databaseUrl, "--json"],
    {},
  );
  expect(exitCode, stderr).toBe(0);
  const result = JSON.parse(stdout);
  expect(result.websites.count).toBe(websiteCount);
  return { result, ms: Math.round(performance.now() - startMs) };
}

/** Returns everything that is defined, and all rows in order of every table that is not part of a full-text index. */
function dump({ databaseUrl }: TestDatabase) {
  using database = new DatabaseSync(databaseUrl.slice("file:".length));
  const schema = database.prepare("select type, name, tbl_name, sql from sqlite_schema order by name").all();
  const tables = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'sqlite_schema'")
    .all()
    .map(({ name }) => String(name));
  expect(tables.toSorted()).toEqual([...Object.keys(described)].toSorted());
  return { schema, rows: tables.toSorted().map((name) => [name, digestOf(database, name)]) };
}

function digestOf(database: DatabaseSync, table: string) {
  const keys = database.prepare("select name from pragma_table_info(?) where pk > 0 order by pk").all(table);
  const order = keys.map(({ name }) => name).join(", ");
  const hash = createHash("sha256");
  let count = 0;
  for (const row of database.prepare(`select * from ${table} order by ${order}`).iterate()) {
    hash.update(JSON.stringify(row));
    count += 1;
  }
  return { count, digest: hash.digest("hex") };
}

async function expectSameSearches(...databases: readonly TestDatabase[]): Promise<void> {
  const [first, last] = await Promise.all(databases.map((database) => openStorage(database)));
  for (const accountId of [1, 2, 3, 4]) {
    for (const search of ["shop-1", "mller", "customer-99", "example", "xn--", "7", "o-", "-no-such-"]) {
      for (const sortBy of ["id", "domain"] as const) {
        const request = { search, sortBy, sort: "desc", perPage: 100, start: { page: 2 } } as const;
        const found = await last?.websites.list(accountId, request);
        expect(found).toEqual(await first?.websites.list(accountId, request));
      }
    }
  }
  await Promise.all([first?.close(), last?.close()]);
}
