import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainSqlite, useNoted } from "../../../test/support/storage/explain.ts";
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

/** The large account is after another one in every index. */
const small = { accountId: 1, count: 2_000 };
const large = { accountId: 2, count: 12_000 };
/** How many websites are last in domain order. */
const clustered = 4_000;
const middle = large.count / 2;

describe("SQLite with 12,000 websites in an account", () => {
  const noted = useNoted(engines.sqlite, fill);

  it.each<[string, WebsiteListRequest]>([
    ["the first page", byId],
    ["a page deep in the list", { ...byId, start: forwardFrom(middle) }],
    ["a page backward", { ...byId, start: backwardFrom(middle) }],
    ["the first page by domain", byDomain],
    ["page 1000 by domain", { ...byDomain, start: { page: 1000 } }],
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

  it("returns the same pages as memory, however many websites match and wherever they are", () =>
    expectPagesOfMemory(noted().websites, large.accountId, domainsOf(large)));

  function explainList(request: WebsiteListRequest): Promise<string[]> {
    return explainSqlite(noted(), () => noted().websites.list(large.accountId, request));
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
