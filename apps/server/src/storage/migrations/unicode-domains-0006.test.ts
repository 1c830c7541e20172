import { toUnicodeDomain } from "@siteward/contract";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { collectPlan } from "../../../test/support/storage/collect-plan.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { readSchema } from "../../../test/support/storage/read-schema.ts";
import { openWithTestAuthor, type TestStorage } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { fillVersion5 } from "../../../test/support/version-5/fill-version-5.ts";
import { openDatabase } from "../database/open-database.ts";
import { openStorage } from "../open-storage.ts";
import { migrations } from "./migrations.ts";
import { unicodeDomains } from "./unicode-domains-0006.ts";

/** More websites than one statement fills, and an account between two others. */
const counts = { 2: 130, 3: 450 };
const words = ["münchen", "例え", "straße", "shop", "xn--no-punycode-", "𠀀a"];

describeOnEveryEngine("the migration that stores Unicode forms", (engine) => {
  it("fills them in for every website that has one, and a search finds them", async () => {
    await using place = await engine();
    await fillOlder(place);
    const storage = await openWithTestAuthor(place);
    const { websites } = await readInstallation(place.databaseUrl);
    expect(websites).toHaveLength(131 + counts[2] + counts[3]);
    for (const { domain, unicode_domain } of websites) {
      const unicode = toUnicodeDomain(domain);
      expect([domain, unicode_domain]).toEqual([domain, unicode === domain ? null : unicode]);
    }
    const find = (accountId: number, search: string) => findIds(storage, accountId, search);
    const idsOf = (count: number, word: number) => range(count).filter((id) => id % words.length === word);
    // One is in a complete block of SQLite's index, the other after the last one.
    expect(await find(1, "münch")).toEqual([50, 129]);
    expect(await find(1, "shop-50.")).toEqual([]);
    for (const [accountId, count] of [
      [2, counts[2]],
      [3, counts[3]],
    ] as const) {
      expect(await find(accountId, "ünch")).toEqual(idsOf(count, 0));
      expect(await find(accountId, "例")).toEqual(idsOf(count, 1));
      expect(await find(accountId, "𠀀")).toEqual(idsOf(count, 5));
      expect(await find(accountId, "hen-6.ex")).toEqual([6]);
    }
    await storage.close();
    expect(await place.findFaults()).toEqual([]);
  });

  it("runs each statement at once: those of a million websites would not fit into memory", async () => {
    await using place = await engine();
    await fillOlder(place);
    const database = await openDatabase(place);
    const { definitions } = database.dialect;
    const writeAtCommit = () => Promise.reject(new Error("A statement waits for the commit."));
    await database.write((transaction) => unicodeDomains.up({ ...transaction, writeAtCommit }, definitions, 0));
    await database.close();
    const { websites } = await readInstallation(place.databaseUrl);
    expect(websites.filter(({ unicode_domain }) => unicode_domain !== null).length).toBeGreaterThan(200);
  });

  it("has a plan that contains its statements: run by hand, they have the same result", async () => {
    await using place = await engine();
    await using byHand = await engine();
    for (const database of [place, byHand]) await fillOlder(database);
    const now = () => 0;
    const before = await readInstallation(byHand.databaseUrl);
    const { from, steps } = await collectPlan({ ...byHand, now }, migrations);
    expect([from, steps[0]?.title]).toEqual([5, "version 6: unicode-domains"]);
    expect(await readInstallation(byHand.databaseUrl)).toEqual(before);
    const statements = steps.flatMap((step) => step.statements);
    await byHand.execute(["begin", ...statements, "commit", ""].join(";\n"));
    await (await openStorage({ ...place, now })).close();
    expect(await readInstallation(byHand.databaseUrl)).toEqual(await readInstallation(place.databaseUrl));
    expect(await readSchema(byHand.databaseUrl)).toEqual(await readSchema(place.databaseUrl));
    const storage = await openWithTestAuthor(byHand);
    expect(await findIds(storage, 1, "münch")).toEqual([50, 129]);
    await storage.close();
  });
});

/** Fills a database at version 5 with domains of which most have a Unicode form. */
async function fillOlder(place: TestDatabase): Promise<void> {
  await fillVersion5(place);
  await place.execute("update websites set domain = 'xn--mnchen-3ya.example' where account_id = 1 and id = 50");
  await place.execute("update websites set domain = 'alt.xn--mnchen-3ya.example' where account_id = 1 and id = 129");
  for (const [accountId, count] of Object.entries(counts)) {
    const settings = `0, null, 0, 0, '[]', '[]', 1, 0, 0`;
    const rows = range(count).map((id) => `(${accountId}, ${id}, '${toDomain(id)}', ${settings})`);
    await place.execute(`insert into accounts (id, name, email, website_count, website_limit, last_website_id,
        last_website_created_at, created_at, updated_at)
      values (${accountId}, 'Acme', 'a@acme.example', ${count}, null, ${count}, 0, 0, 0);
      insert into websites values ${rows.join()}`);
  }
}

async function findIds({ websites }: TestStorage, accountId: number, search: string): Promise<number[]> {
  const request = { search, sortBy: "id", sort: "asc", perPage: 500, start: { page: 1 } } as const;
  return (await websites.list(accountId, request)).websites.map(({ id }) => id);
}

function toDomain(id: number): string {
  const word = words[id % words.length];
  return new URL(`http://${word}-${id}.example`).hostname;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
