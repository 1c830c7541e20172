import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import {
  explainPostgres,
  type NotedDatabase,
  openNoted,
  type Scan,
  totalRows,
} from "../../../test/support/storage/explain.ts";
import { fillAccount, fillMemory } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount } from "../../../test/support/storage/open-test-storage.ts";
import { callHere } from "../changes/call-change.ts";
import type { Database } from "../engine/database.ts";
import { createAccountStore } from "../stores/account-store.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

/** The large account is between two others, whose domains all contain a word that is rare in the large one. */
const counts = [5_000, 50_000, 5_000];
const large = { accountId: 2, count: 50_000 };
/** How many websites are last in domain order. */
const clustered = 12_000;
const middle = large.count / 2;
const byId: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
const byDomain: WebsiteListRequest = { ...byId, sortBy: "domain", sort: "asc" };
const forwardFrom = (key: number | string) => ({ position: { key, side: "after" }, direction: "forward" }) as const;
const backwardFrom = (key: number | string) => ({ position: { key, side: "before" }, direction: "backward" }) as const;

describe("PostgreSQL with 50,000 websites in an account", () => {
  let noted: NotedDatabase;

  beforeAll(async () => {
    noted = await openNoted(engines.postgres, fill);
  });

  afterAll(() => noted[Symbol.asyncDispose]());

  it("reads one record by the primary key", async () => {
    const scans = await explain(() =>
      createWebsiteStore(noted.database, callHere(noted.database)).get(large.accountId, middle),
    );
    const read = { index: "websites_primary_key", isOfAccount: true };
    expect(scans).toMatchObject([
      { ...read, rows: 1 },
      { ...read, rows: 0 },
    ]);
  });

  it.each<[string, WebsiteListRequest]>([
    ["the first page", byId],
    ["the first page by domain", byDomain],
    ["a page deep in the list", { ...byId, start: forwardFrom(middle) }],
    ["a page backward", { ...byId, start: backwardFrom(middle) }],
    ["a page deep in the list by domain", { ...byDomain, start: forwardFrom("site-5") }],
  ])("reads %s from an index, and reads no other records", async (_, request) => {
    const scans = await explainList(request);
    for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String), isOfAccount: true });
    expect(totalRows(scans)).toBeLessThanOrEqual(13);
  });

  it.each([0, middle, large.count - 3])(
    "reads the websites that have changed since %i by their key, and no others",
    async (number) => {
      const scans = await explain(() =>
        createWebsiteStore(noted.database, callHere(noted.database)).changes(large.accountId, {
          since: { number, at: 0 },
          perPage: 10,
        }),
      );
      for (const scan of scans) expect(scan).toMatchObject({ index: "websites_primary_key", isOfAccount: true });
      expect(totalRows(scans)).toBe(Math.min(10, large.count - number));
    },
  );

  it("reads no website if nothing has changed", async () => {
    const since = { number: large.count, at: 0 };
    expect(
      await explain(() =>
        createWebsiteStore(noted.database, callHere(noted.database)).changes(large.accountId, { since, perPage: 10 }),
      ),
    ).toEqual([]);
  });

  it.each<[string, WebsiteListRequest]>([
    ["page 2000", { ...byId, start: { page: 2000 } }],
    ["page 2000 by domain", { ...byDomain, start: { page: 2000 } }],
  ])("skips to %s with only an index", async (_, request) => {
    const scans = await explain(() =>
      createWebsiteStore(noted.database, callHere(noted.database)).list(large.accountId, request),
    );
    for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String), isOfAccount: true });
    expect(totalRows(scans)).toBeLessThanOrEqual(20_020);
  });

  it.each<[string, number]>([
    ["quokka", 2_500],
    ["q", 2_500],
    ["site-4999", 2_500],
    ["nowhere", 2_500],
    ["example", 12_500],
    ["shop", 33_000],
    // Many match, but none of the newest.
    ["site", 64_000],
    ["ünze", 64_000],
    ["例", 2_500],
    ["0.blog.e", 9_000],
    ["e-ö-777.ex", 2_500],
  ])("finds %j with indexes, and reads at most %i records", async (search, most) => {
    for (const request of [byId, byDomain, { ...byId, start: forwardFrom(middle) }]) {
      const scans = await explainList({ ...request, search });
      for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String), isOfAccount: true });
      expect(totalRows(scans)).toBeLessThanOrEqual(most);
    }
  });

  it("returns the same pages as memory, however many websites match and wherever they are", async () => {
    const { list } = createWebsiteStore(noted.database, callHere(noted.database));
    const memory = await fillMemory(domainsOf(large.accountId, large.count));
    const ascii = ["", "example", "zz-", "site-499", "op", "quokka", "nowhere"];
    for (const search of [...ascii, "ü", "例", "ünze-499", "0.blog.e", "e-ö"]) {
      for (const start of [
        { page: 1 },
        { page: 3 },
        forwardFrom("site-5"),
        forwardFrom("zz-9"),
        backwardFrom("zz-5"),
      ]) {
        const request = { ...byDomain, ...(search && { search }), start };
        expect(await list(large.accountId, request)).toEqual(await memory.list(1, request));
      }
    }
  });

  function explainList(request: WebsiteListRequest): Promise<Scan[]> {
    return explain(() => createWebsiteStore(noted.database, callHere(noted.database)).list(large.accountId, request));
  }

  /** Returns how some work reads websites. */
  async function explain(work: () => Promise<unknown>): Promise<Scan[]> {
    const scans = await explainPostgres(noted, work, { withGeneric: true });
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
