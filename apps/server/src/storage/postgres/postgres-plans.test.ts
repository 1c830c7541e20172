import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainPostgres, type Scan, totalRows, useNoted } from "../../../test/support/storage/explain.ts";
import {
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
const counts = [2_000, 20_000, 2_000];
const large = { accountId: 2, count: 20_000 };
/** How many websites are last in domain order. */
const clustered = 5_400;
const middle = large.count / 2;

describe("PostgreSQL with 20,000 websites in an account", () => {
  const noted = useNoted(engines.postgres, fill);

  it.each<[string, number]>([
    ["quokka", 1_500],
    ["q", 1_500],
    ["site-4999", 1_500],
    ["nowhere", 1_500],
    ["example", 12_500],
    ["shop", 13_500],
    // Many match, but none of the newest.
    ["site", 26_000],
    ["ünze", 26_000],
    ["例", 1_500],
    ["0.blog.e", 3_600],
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

  /** Returns how a list reads websites. */
  async function explainList(request: WebsiteListRequest): Promise<Scan[]> {
    const list = () => noted().websites.list(large.accountId, request);
    const scans = await explainPostgres(noted(), list, { withGeneric: true });
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

async function fill(database: Database): Promise<void> {
  const accounts = createAccountStore(database);
  for (const [index, count] of counts.entries()) {
    const id = await createTestAccount({ accounts });
    if (id !== index + 1) throw new Error("Account ids do not start at 1.");
    await fillAccount(database, id, domainsOf(id, count));
  }
}
