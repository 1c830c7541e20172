import type { Database } from "../../../src/storage/database/database.ts";
import type { AccountRow, Schema } from "../../../src/storage/tables/schema.ts";

/** One entry in 5,000. */
export const rareAction = "website.deleted";
const rowsPerInsert = 1_000;

/**
 * Creates the first accounts of a new database, with long trails and many kept outcomes. An entry is made each second, by keys swk_0 to swk_9 in turn, and
 * to each of 500 websites in turn.
 *
 * @param counts the number of rows of each table, for each account
 */
export async function fillAuditTrail(database: Database, counts: readonly number[]): Promise<void> {
  for (const [index, count] of counts.entries()) {
    const id = index + 1;
    await database.write(async (transaction) => {
      await transaction.write(database.build.insertInto("accounts").values(toAccount(id)));
      for (let start = 0; start < count; start += rowsPerInsert) {
        const numbers = Array.from({ length: Math.min(rowsPerInsert, count - start) }, (_, index) => start + index);
        const entries = numbers.map((number) => toEntry(id, number));
        const outcomes = numbers.map((number) => toOutcome(id, number));
        await transaction.write(database.build.insertInto("audit_entries").values(entries));
        await transaction.write(database.build.insertInto("idempotency_keys").values(outcomes));
      }
    });
  }
}

function toAccount(id: number): AccountRow {
  const counters = {
    website_count: 0,
    website_limit: null,
    last_website_id: 0,
    last_website_created_at: 0,
    version: 1,
    trail_day: 0,
    trail_bytes: 0,
  };
  return { id, name: "Acme", email: "a@acme.example", ...counters, created_at: 0, updated_at: 0 };
}

function toEntry(accountId: number, number: number): Schema["audit_entries"] {
  return {
    account_id: accountId,
    at: number * 1_000,
    subject: "website",
    subject_id: (number % 500) + 1,
    version: Math.floor(number / 500) + 1,
    action: number % 5_000 === 17 ? rareAction : "website.updated",
    api_key: `swk_${Math.floor(number / 500) % 10}`,
    operator: null,
    request_id: `request-${number}`,
    changes: JSON.stringify({ privacy: [0, 1] }),
  };
}

function toOutcome(accountId: number, number: number): Schema["idempotency_keys"] {
  const outcome = JSON.stringify({ result: { id: number } });
  return { account_id: accountId, key: `key-${number}`, fingerprint: "f", outcome, created_at: number * 1_000 };
}
