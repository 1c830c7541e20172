import { insertRows } from "../../../src/storage/engine/change.ts";
import { type Database, openDatabase } from "../../../src/storage/engine/database.ts";
import type { AuditListRequest, AuditPosition } from "../../../src/storage/interface/audit-store.ts";
import { type AccountRow, type Schema, tables } from "../../../src/storage/tables/schema.ts";

/** That of one entry in 5,000. */
export const rareKey = "swk_rare";

type Page = readonly [name: string, Partial<AuditListRequest>];

/** Pages of a trail of an account, and of a website in it, and how deep some of them begin. */
export function pagesOf(after: AuditPosition): {
  readonly account: readonly Page[];
  readonly website: readonly Page[];
} {
  return {
    account: [
      ["the trail of an account", {}],
      ["a page deep in it", { after }],
      ["what a rare key did in it", { apiKey: rareKey, since: 1_000 }],
      ["what a key did in the account", { apiKey: "swk_0" }],
      ["a page deep in it", { apiKey: "swk_0", after, since: 1_000 }],
    ],
    website: [
      ["the trail of a website", { websiteId: 1 }],
      ["that of a deleted one", { websiteId: 20 }],
      ["a page deep in it", { websiteId: 1, after, since: 1_000 }],
      ["what a key did to a website", { websiteId: 1, apiKey: "swk_0", after }],
    ],
  };
}

const rowsPerInsert = 1_000;
const websiteCount = 500;

/**
 * Creates the first accounts of a new database, with long trails and many kept outcomes. An entry is made each second, by keys swk_0 to swk_9 in turn, and
 * to each of 500 websites in turn. One in 50 of them is deleted in the end.
 *
 * @param counts the number of rows of each table, for each account
 */
export async function fillAuditTrail(database: Database, counts: readonly number[]): Promise<void> {
  for (const [index, count] of counts.entries()) {
    const id = index + 1;
    const websites = Array.from({ length: Math.min(websiteCount, count) }, (_, index) =>
      toWebsite(id, count - 1 - index),
    );
    const live = websites.filter((website) => !isDeleted(website.id));
    await database.write(async (transaction) => {
      await insertRows(transaction, tables.accounts, [
        toAccount(id, { count, lastWebsiteId: websites.length, live: live.length }),
      ]);
      if (live.length > 0) await insertRows(transaction, tables.websites, live);
      for (let start = 0; start < count; start += rowsPerInsert) {
        const numbers = Array.from({ length: Math.min(rowsPerInsert, count - start) }, (_, index) => start + index);
        const entries = numbers.map((number) => toEntry(id, number, count));
        const outcomes = numbers.map((number) => toOutcome(id, number));
        await insertRows(transaction, tables.audit_entries, entries);
        await insertRows(transaction, tables.idempotency_keys, outcomes);
      }
    });
  }
}

/** Does it on a database that is not open. */
export async function fillTrailOf(databaseUrl: string, counts: readonly number[]): Promise<void> {
  const database = await openDatabase({ databaseUrl });
  await fillAuditTrail(database, counts);
  await database.close();
}

interface Counts {
  readonly count: number;
  readonly lastWebsiteId: number;
  readonly live: number;
}

function toAccount(id: number, { count, lastWebsiteId, live }: Counts): AccountRow {
  const counters = {
    website_count: live,
    website_limit: null,
    last_website_id: lastWebsiteId,
    last_website_created_at: 0,
    version: 1,
    trail_day: 0,
    trail_bytes: 0,
    change_count: count,
    changed_at: (count - 1) * 1_000,
    counted_since: 0,
  };
  return { id, name: "Acme", email: "a@acme.example", ...counters, created_at: 0, updated_at: 0 };
}

function toEntry(accountId: number, number: number, count: number): Schema["audit_entries"] {
  const { id, version } = toWebsite(accountId, number);
  const isLast = number + websiteCount >= count;
  return {
    account_id: accountId,
    at: number * 1_000,
    subject: "website",
    subject_id: id,
    version,
    action: isLast && isDeleted(id) ? "website.deleted" : "website.updated",
    api_key: number % 5_000 === 17 ? rareKey : `swk_${Math.floor(number / websiteCount) % 10}`,
    operator: null,
    request_id: `request-${number}`,
    changes: JSON.stringify({ privacy: [0, 1] }),
    previous_at: version === 1 ? null : (number - websiteCount) * 1_000,
    position: number + 1,
  };
}

function isDeleted(websiteId: number): boolean {
  return websiteId % 50 === 20;
}

/** Returns the website after an entry. */
function toWebsite(accountId: number, number: number): Schema["websites"] {
  const id = (number % websiteCount) + 1;
  const settings = { privacy: 1, email: 0, exclude_bots: 1, exclude_params: "[]", exclude_ips: "[]" } as const;
  const times = { version: Math.floor(number / websiteCount) + 1, created_at: 0, updated_at: number * 1_000 };
  const domain = { domain: `${id}.example`, unicode_domain: null };
  return { account_id: accountId, id, ...domain, ...settings, password_hash: null, ...times };
}

function toOutcome(accountId: number, number: number): Schema["idempotency_keys"] {
  const outcome = JSON.stringify({ result: { id: number } });
  return { account_id: accountId, key: `key-${number}`, fingerprint: "f", outcome, created_at: number * 1_000 };
}
