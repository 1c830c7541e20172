import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainSqlite, type NotedDatabase, openNoted } from "../../../test/support/storage/explain.ts";
import { fillAccount, fillMemory } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount } from "../../../test/support/storage/open-test-storage.ts";
import { callHere } from "../changes/call-change.ts";
import type { Database } from "../engine/database.ts";
import { createAccountStore } from "../stores/account-store.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

/** The large account is after another one in every index. */
const small = { accountId: 1, count: 2_000 };
const large = { accountId: 2, count: 20_000 };
/** How many websites are last in domain order. */
const clustered = 6_000;
const middle = large.count / 2;
const byId: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
const byDomain: WebsiteListRequest = { ...byId, sortBy: "domain", sort: "asc" };
const forwardFrom = (key: number | string) => ({ position: { key, side: "after" }, direction: "forward" }) as const;
const backwardFrom = (key: number | string) => ({ position: { key, side: "before" }, direction: "backward" }) as const;

describe("SQLite with 20,000 websites in an account", () => {
  let noted: NotedDatabase;

  beforeAll(async () => {
    noted = await openNoted(engines.sqlite, fill);
  });

  afterAll(() => noted[Symbol.asyncDispose]());

  it.each<[string, WebsiteListRequest]>([
    ["the first page", byId],
    ["a page deep in the list", { ...byId, start: forwardFrom(middle) }],
    ["a page backward", { ...byId, start: backwardFrom(middle) }],
    ["the first page by domain", byDomain],
    ["page 1600 by domain", { ...byDomain, start: { page: 1600 } }],
    ["a page deep in the list by domain", { ...byDomain, start: forwardFrom("site-5") }],
  ])("reads %s as one range of an index, without a sort", async (_, request) => {
    const plan = await explainList(request);
    expect(plan).toContainEqual(expect.stringMatching(/^SEARCH websites USING .*\(account_id=\?/));
    for (const step of plan) {
      expect(step).toMatch(/^SEARCH (websites|accounts|skipped) USING|^(MATERIALIZE|SCAN) account$/);
    }
  });

  it.each<[string, WebsiteListRequest]>([
    ["a term", { ...byId, search: "site-4999" }],
    ["a term that all have", { ...byId, search: "example" }],
    ["a term deep in the list", { ...byId, search: "example", start: forwardFrom(middle) }],
    ["a term backward", { ...byId, search: "example", start: backwardFrom(middle) }],
    ["a term that all have by domain", { ...byDomain, search: "example", start: forwardFrom("site-5") }],
    ["a term whose matches lie together", { ...byDomain, search: "zz-" }],
    ["a part of the Unicode form", { ...byId, search: "ünze-4999" }],
    ["a character that many have by domain", { ...byDomain, search: "ü", start: forwardFrom("xn--nze-") }],
    ["a term that is in one form or the other", { ...byId, search: "e-4999.b" }],
    ["a term that is in one form or the other by domain", { ...byDomain, search: "0.blog" }],
  ])("finds %s within the account's range of the search index", async (_, request) => {
    const plan = await explainList(request);
    expect(plan).toContainEqual(expect.stringMatching(/^SCAN domain_parts/));
    for (const step of plan) {
      // M1 is the match. > and < are the bounds of the rowid.
      expect(step).toMatch(
        /^(SCAN domain_parts VIRTUAL TABLE INDEX \d+:M1><|SEARCH (websites|accounts) USING|SCAN (\(subquery|walked|listed|sample|compared|matches|page|account$)|CO-ROUTINE|MATERIALIZE|MERGE|COMPOUND|LEFT|RIGHT|UNION ALL|CORRELATED SCALAR SUBQUERY|USE TEMP B-TREE FOR ORDER BY)/,
      );
    }
  });

  it("returns the same pages as memory, however many websites match and wherever they are", async () => {
    const { list } = createWebsiteStore(noted.database, callHere(noted.database));
    const memory = await fillMemory(domainsOf(large));
    const ascii = ["", "example", "zz-", "site-499", "op"];
    for (const search of [...ascii, "ü", "ünze-4999", "0.blog.e", "zz-例"]) {
      for (const start of [{ page: 1 }, { page: 3 }, forwardFrom("site-5"), backwardFrom("zz-5")]) {
        const request = { ...byDomain, ...(search && { search }), start };
        expect(await list(large.accountId, request)).toEqual(await memory.list(1, request));
      }
    }
  });

  function explainList(request: WebsiteListRequest): Promise<string[]> {
    return explainSqlite(noted, () =>
      createWebsiteStore(noted.database, callHere(noted.database)).list(large.accountId, request),
    );
  }
});

function domainsOf({ count }: typeof large): string[] {
  return Array.from({ length: count }, (_, index) => toDomain(index + 1));
}

function toDomain(number: number): string {
  // Far away from the domains that lie together.
  if (number === 778) return "aa-zz-778.example.com";
  // Every third one has a Unicode form, some of them at the end of the list.
  const word = number % 3 === 1 ? "ünze" : "site";
  const end = number % 100 === 1 ? "zz-例" : "zz";
  const name = number > large.count - clustered ? `${end}-${number}` : `${word}-${(number * 7919) % large.count}`;
  return toAscii(`${name}.${["shop", "blog", "news"][number % 3]}.example${number % 50}.com`) ?? "";
}

async function fill(database: Database): Promise<void> {
  const accounts = createAccountStore(database);
  for (const account of [small, large]) {
    await createTestAccount({ accounts });
    await fillAccount(database, account.accountId, domainsOf(account));
  }
}
