import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import { explainPostgres, type Scan, totalRows, useNoted } from "../../../test/support/storage/explain.ts";
import {
  backwardFrom,
  byDomain,
  byId,
  expectPagesOfMemory,
  fillAccount,
  forwardFrom,
} from "../../../test/support/storage/fill-account.ts";
import { createTestAccount } from "../../../test/support/storage.ts";
import type { Database } from "../engine/database.ts";
import { createAccountStore } from "../stores/account-store.ts";

/** The large account is between two others, whose domains all contain a word that is rare in the large one. */
const counts = [3_000, 30_000, 3_000];
const large = { accountId: 2, count: 30_000 };
/** How many websites are last in domain order. */
const clustered = 8_000;
const middle = large.count / 2;

describe("PostgreSQL with 30,000 websites in an account", () => {
  const noted = useNoted(engines.postgres, fill);

  it("reads one record by the primary key", async () => {
    const scans = await explain(() => noted().websites.get(large.accountId, middle));
    const read = { index: "websites_primary_key", isOfAccount: true };
    expect(scans).toMatchObject([
      { ...read, rows: 1 },
      { ...read, rows: 0 },
    ]);
  });

  it.each<[string, number, WebsiteListRequest]>([
    ["the first page", 13, byId],
    ["the first page by domain", 13, byDomain],
    ["a page deep in the list", 13, { ...byId, start: forwardFrom(middle) }],
    ["a page backward", 13, { ...byId, start: backwardFrom(middle) }],
    ["a page deep in the list by domain", 13, { ...byDomain, start: forwardFrom("site-5") }],
    ["page 2000", 20_020, { ...byId, start: { page: 2000 } }],
    ["page 2000 by domain", 20_020, { ...byDomain, start: { page: 2000 } }],
  ])("reads %s from an index, and at most %i records", async (_, most, request) => {
    const scans = await explainList(request);
    for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String), isOfAccount: true });
    expect(totalRows(scans)).toBeLessThanOrEqual(most);
  });

  it.each([0, middle, large.count - 3, large.count])(
    "reads the websites that have changed since %i by their key, and no others",
    async (number) => {
      const since = { number, at: 0 };
      const scans = await explain(() => noted().websites.changes(large.accountId, { since, perPage: 10 }));
      for (const scan of scans) expect(scan).toMatchObject({ index: "websites_primary_key", isOfAccount: true });
      expect(totalRows(scans)).toBe(Math.min(10, large.count - number));
    },
  );

  it.each<[string, number]>([
    ["quokka", 1_500],
    ["q", 1_500],
    ["site-4999", 1_500],
    ["nowhere", 1_500],
    ["example", 12_500],
    ["shop", 20_000],
    // Many match, but none of the newest.
    ["site", 39_000],
    ["ünze", 39_000],
    ["例", 1_500],
    ["0.blog.e", 5_400],
    ["e-ö-777.ex", 1_500],
  ])("finds %j with indexes, and reads at most %i records", async (search, most) => {
    for (const request of [byId, byDomain, { ...byId, start: forwardFrom(middle) }]) {
      const scans = await explainList({ ...request, search });
      for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String), isOfAccount: true });
      expect(totalRows(scans)).toBeLessThanOrEqual(most);
    }
  });

  it("returns the same pages as memory, however many websites match and wherever they are", () =>
    expectPagesOfMemory(noted().websites, large.accountId, domainsOf(large.accountId, large.count)));

  function explainList(request: WebsiteListRequest): Promise<Scan[]> {
    return explain(() => noted().websites.list(large.accountId, request));
  }

  /** Returns how some work reads websites. */
  async function explain(work: () => Promise<unknown>): Promise<Scan[]> {
    const scans = await explainPostgres(noted(), work, { withGeneric: true });
    return scans.filter(({ table }) => table === "websites");
  }
});

function domainsOf(accountId: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => toDomain(accountId, index + 1));
}

function toDomain(accountId: number, number: number): string {
  if (accountId !== large.accountId || number === 777) return toAscii(`acme-ö-${number}.example`) ?? "";
  const rare = number % 5_000 === 17 ? "quokka-" : number % 5_000 === 19 ? "例-" : "";
  // Every third one has a Unicode form.
  const word = number % 3 === 1 ? "ünze" : "site";
  const name = number > large.count - clustered ? `zz-${number}` : `${word}-${(number * 7919) % large.count}`;
  return toAscii(`${rare}${name}.${["shop", "blog", "news"][number % 3]}.example${number % 50}.com`) ?? "";
}

async function fill(database: Database, place: TestDatabase): Promise<void> {
  const accounts = createAccountStore(database);
  for (const [index, count] of counts.entries()) {
    const id = await createTestAccount({ accounts });
    if (id !== index + 1) throw new Error("Account ids do not start at 1.");
    await fillAccount(database, id, domainsOf(id, count));
  }
  // As many changes as websites, at the time of which they were created.
  await place.execute(`
    insert into audit_entries (account_id, at, subject, subject_id, version, action, changes, position)
    select ${large.accountId}, 0, 'website', id, 1, 'website.created', '{}', id
    from generate_series(1, ${large.count}) as id`);
}
