import type { Database } from "../engines/database.ts";

/** What the server keeps about changes and requests, as text. An engine may compress it in its files. */
export interface StoredRecords {
  readonly text: string;
  /** What no request of the row left there, so that the row did not test enough. */
  readonly missing: readonly string[];
}

/** Reads the audit trail and the outcomes of requests with an idempotency key. */
export async function readStoredRecords(database: Database): Promise<StoredRecords> {
  const entries = await database.query("select * from audit_entries");
  const outcomes = await database.query("select * from idempotency_keys");
  const changes = JSON.stringify(entries.map((entry) => entry["changes"]));
  const missing = [
    ...(changes.includes('\\"password\\":\\"set\\"') ? [] : ["No entry of the audit trail sets a password."]),
    ...(changes.includes('\\"password\\":\\"cleared\\"') ? [] : ["No entry of the audit trail clears a password."]),
    ...(outcomes.length > 0 ? [] : ["No outcome is kept for an idempotency key."]),
  ];
  return { text: JSON.stringify([entries, outcomes]), missing };
}
