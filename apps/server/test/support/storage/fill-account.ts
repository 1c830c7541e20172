import { insertRows } from "../../../src/storage/engine/change.ts";
import type { Database } from "../../../src/storage/engine/database.ts";
import { sql } from "../../../src/storage/engine/statement.ts";
import { unicodeDomain, websites } from "../../../src/storage/tables/websites.ts";
import { openMemory } from "./open-memory.ts";
import { newWebsite } from "./open-test-storage.ts";
import type { TestWebsiteStore } from "./with-test-author.ts";

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
