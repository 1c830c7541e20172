import { toAscii } from "@siteward/contract";
import { insertRows } from "../../../src/storage/engine/change.ts";
import { type Database, openDatabase } from "../../../src/storage/engine/database.ts";
import { migrate } from "../../../src/storage/engine/migrate.ts";
import { migrations } from "../../../src/storage/engine/schema.ts";
import { type AccountRow, type ApiKeyRow, type Schema, tables } from "../../../src/storage/tables/schema.ts";
import type { WebsiteRow } from "../../../src/storage/tables/websites.ts";
import { unicodeDomain } from "../../../src/storage/tables/websites.ts";

/** The account without websites and keys. */
const emptyAccountId = 3;
const since = 1_700_000_000_123;
const batchRows = 1_000;
const maxWebsiteId = 4_294_967_295;

/**
 * Fills a new database quickly with all kinds of rows, without using the stores: accounts with and without websites, ids with
 * gaps, the highest id, valid, revoked and expired keys, passwords, internationalized names, long lists.
 */
export async function fillInstallation(databaseUrl: string, websiteCount: number): Promise<void> {
  const database = await openDatabase({ databaseUrl, allowsLongStatements: true, now: () => since });
  try {
    await migrate(database, migrations);
    const websites = buildWebsites(websiteCount);
    await database.write(async (transaction) => {
      await insertRows(transaction, tables.accounts, buildAccounts(websites));
      await insertRows(transaction, tables.api_keys, buildApiKeys());
      await insertRows(transaction, tables.audit_entries, buildAuditEntries());
      await insertRows(transaction, tables.idempotency_keys, buildIdempotencyKeys());
      await insertRows(transaction, tables.account_deletions, buildAccountDeletions());
    });
    for (let start = 0; start < websites.length; start += batchRows)
      await addWebsites(database, websites.slice(start, start + batchRows));
  } finally {
    await database.close();
  }
}

async function addWebsites(database: Database, websites: WebsiteRow[]): Promise<void> {
  await database.write(async (transaction) => {
    await insertRows(transaction, tables.websites, websites);
    await database.websiteSearch.load(transaction, websites);
  });
}

function buildAccounts(websites: readonly WebsiteRow[]): AccountRow[] {
  return [1, 2, emptyAccountId, 4].map((id) => {
    const own = websites.filter((website) => website.account_id === id);
    return {
      id,
      name: ["Acme", "Müller & Co 🐘", `O'Brien "quoted" \\ back`, "日本"][id - 1] ?? "",
      email: `owner-${id}@acme.example`,
      website_count: own.length,
      website_limit: id === 2 ? 1_000_000 : null,
      last_website_id: own.at(-1)?.id ?? id,
      last_website_created_at: own.at(-1)?.created_at ?? 0,
      version: id,
      created_at: since + id,
      updated_at: since + id * 1_000,
      trail_day: 19_675,
      trail_bytes: id * 1_000_000,
      change_count: id * 10,
      changed_at: since + id,
      counted_since: since - id,
    };
  });
}

function buildApiKeys(): ApiKeyRow[] {
  return Array.from({ length: 30 }, (_, index) => ({
    id: index * 3 + 1,
    account_id: [1, 2, 4][index % 3] ?? 1,
    name: `Key ${index}`,
    prefix: `swk_${String(index).padStart(8, "0")}`,
    hash: Uint8Array.from({ length: 32 }, (_byte, place) => (index * 37 + place * 11) % 256),
    scopes: JSON.stringify(index % 2 === 0 ? ["websites:read"] : ["websites:read", "websites:write", "account:read"]),
    rate_limit: [null, 0, 1_000][index % 3] ?? null,
    version: index + 1,
    created_at: since + index,
    expires_at: index % 4 === 1 ? since + 1 : null,
    revoked_at: index % 4 === 2 ? since + 2 : null,
    last_used_at: index % 5 === 0 ? since + 3 : null,
  }));
}

function buildAuditEntries(): Schema["audit_entries"][] {
  return Array.from({ length: 40 }, (_, index) => ({
    account_id: [1, 2, 4][index % 3] ?? 1,
    at: since + Math.floor(index / 4),
    subject: (["website", "api_key", "account"] as const)[index % 3] ?? "website",
    subject_id: index,
    version: (index % 5) + 1,
    action: "website.updated",
    api_key: index % 2 === 0 ? "swk_00000000" : null,
    operator: index % 2 === 0 ? null : "Jürgen",
    request_id: index % 2 === 0 ? `request-${index}` : null,
    changes: JSON.stringify({ domain: [null, `"ü"-${index}.example`], password: "set" }),
    previous_at: index % 4 === 0 ? null : since - index,
    position: index % 3 === 0 ? index + 1 : null,
  }));
}

function buildIdempotencyKeys(): Schema["idempotency_keys"][] {
  return Array.from({ length: 20 }, (_, index) => ({
    account_id: [1, 2, 4][index % 3] ?? 1,
    key: `Key-${index}!~`,
    fingerprint: `fingerprint ${index}`,
    outcome: JSON.stringify({ result: { id: index } }),
    created_at: since + index,
  }));
}

/** The deletion of one account was interrupted. */
function buildAccountDeletions(): Schema["account_deletions"][] {
  return [{ account_id: emptyAccountId, last_api_key_id: 2, began_at: since }];
}

/** Creates most of the websites in one account, and a tenth in each of two others. Every seventh id is missing. */
function buildWebsites(count: number): WebsiteRow[] {
  const tenth = Math.ceil(count / 10);
  const counts = { 1: count - 2 * tenth, 2: tenth, 4: tenth };
  const built = Object.entries(counts).flatMap(([accountId, length]) =>
    Array.from({ length }, (_, place) => buildWebsite(Number(accountId), 1 + place + Math.floor(place / 6), place)),
  );
  return built.map((website, index) => (index === count - 1 ? { ...website, id: maxWebsiteId } : website));
}

function buildWebsite(accountId: number, id: number, place: number): WebsiteRow {
  const hasLongLists = place % 500 === 3;
  const name = `${["shop", "müller", "blog.例"][place % 3]}-${(place * 7919) % 999_983}`;
  const domain = toAscii(`${name}.customer-${place}.example`) ?? "";
  return {
    account_id: accountId,
    id,
    domain,
    unicode_domain: unicodeDomain(domain),
    privacy: place % 10 === 4 ? 2 : place % 2 === 0 ? 0 : 1,
    password_hash: place % 10 === 4 ? `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${place}` : null,
    email: place % 3 === 0 ? 1 : 0,
    exclude_bots: place % 4 === 0 ? 0 : 1,
    exclude_params: JSON.stringify(hasLongLists ? numbered(100, "ü€𝄞_") : place % 2 === 0 ? ["utm_*", 'quo"te'] : []),
    exclude_ips: JSON.stringify(hasLongLists ? numbered(500, "2001:db8::") : ["203.0.113.0/24"]),
    version: (place % 5) + 1,
    created_at: since + place,
    updated_at: since + place * 2,
  };
}

function numbered(count: number, beginning: string): string[] {
  return Array.from({ length: count }, (_, index) => `${beginning}${index}`);
}
