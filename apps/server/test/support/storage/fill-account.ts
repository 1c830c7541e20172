import { MemoryStorage, type WebsiteStore } from "@siteward/service";
import { expect } from "vitest";
import { insertRows } from "../../../src/storage/engine/change.ts";
import type { Database } from "../../../src/storage/engine/database.ts";
import { sql } from "../../../src/storage/engine/statement.ts";
import { unicodeDomain, websites } from "../../../src/storage/tables/websites.ts";
import { newWebsite, type TestWebsiteStore, websitesWithTestAuthor } from "../storage.ts";

/** The time of all creations. */
const atMs = 0;
const rowsPerInsert = 1_000;

/** Creates websites with these domains in an account that has none, in one transaction. `create` would write the same. */
export async function fillAccount(database: Database, accountId: number, domains: readonly string[]): Promise<void> {
  const { passwordHash, exclude_params, exclude_ips, ...rest } = newWebsite("");
  const lists = { exclude_params: JSON.stringify(exclude_params), exclude_ips: JSON.stringify(exclude_ips) };
  const settings = { ...rest, ...lists, password_hash: passwordHash, version: 1, created_at: atMs, updated_at: atMs };
  const rows = domains.map((domain, index) => ({
    ...settings,
    account_id: accountId,
    id: index + 1,
    domain,
    unicode_domain: unicodeDomain(domain),
  }));
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      await insertRows(transaction, websites, rows.slice(start, start + rowsPerInsert));
    }
    for (const { id } of rows) await database.websiteSearch.add(transaction, { accountId, id });
    await transaction.write(
      sql`update accounts set website_count = :count, last_website_id = :count, change_count = :count,
        changed_at = :atMs, counted_since = :atMs where id = :accountId`,
      { accountId, count: rows.length, atMs },
    );
  });
}

/** Creates the same websites in memory. */
export async function fillMemory(domains: readonly string[]): Promise<TestWebsiteStore> {
  const memory = openMemory(() => atMs);
  for (const domain of domains) await memory.create(1, newWebsite(domain));
  return memory;
}

/** Opens the storage of the service in memory. It has one account, which answers to every ID. */
export function openMemory(now: () => number): TestWebsiteStore {
  const account = { name: "Acme", email: "owner@acme.example", websiteLimit: null };
  return websitesWithTestAuthor(new MemoryStorage(account, now).websites);
}

export const byId = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } } as const;
export const byDomain = { ...byId, sortBy: "domain", sort: "asc" } as const;
export const forwardFrom = (key: number | string) =>
  ({ position: { key, side: "after" }, direction: "forward" }) as const;
export const backwardFrom = (key: number | string) =>
  ({ position: { key, side: "before" }, direction: "backward" }) as const;

/** Searches an account with these domains, of which many contain `zz-` and are last, and compares with memory. */
export async function expectPagesOfMemory({ list }: WebsiteStore, accountId: number, domains: readonly string[]) {
  const memory = await fillMemory(domains);
  const [first, third] = [{ page: 1 }, { page: 3 }];
  const all = [first, third, forwardFrom("site-5"), forwardFrom("zz-9"), backwardFrom("zz-5")];
  // Many that match are searched in order, and few are sorted.
  for (const [starts, terms] of [
    [all, ["example", "zz-", "ü"]],
    [all.slice(2), ["site-499", "0.blog.e"]],
    [[first], ["op", "nowhere", "例"]],
    [[third], ["", "quokka", "ünze-499", "e-ö"]],
  ] as const) {
    for (const [search, start] of terms.flatMap((term) => starts.map((start) => [term, start] as const))) {
      const request = { ...byDomain, ...(search && { search }), start };
      expect(await list(accountId, request)).toEqual(await memory.list(1, request));
    }
  }
}
