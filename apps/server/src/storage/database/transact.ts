import { setTimeout } from "node:timers/promises";
import type { Transaction } from "kysely";
import { isOutcomeUnknown } from "../storage-error.ts";
import type { Schema } from "../tables/schema.ts";
import type { Database } from "./database.ts";

/** How long a transaction is tried again for while others are in its way. */
const maxWaitMs = 5000;
const maxPauseMs = 20;

/**
 * Runs `work` in a transaction that commits when it returns and rolls back when it throws. Where others are in its way,
 * `work` runs again from the start, after a pause in which the process does other things.
 *
 * Not every engine keeps others from writing meanwhile: `work` first changes, or selects with `forUpdate`, the row whose
 * state it relies on. What changes the number of websites begins with the account's row.
 *
 * @throws StorageError if others stay in its way, or the database cannot write
 */
export async function transact<Result>(
  { write, dialect }: Database,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const startMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write.transaction().execute(work);
    } catch (error) {
      const isOver = isOutcomeUnknown(error) || performance.now() - startMs > maxWaitMs;
      if (isOver || !dialect.isRetryable(error)) throw error;
    }
    // Chance keeps writers that were in each other's way from meeting again.
    await setTimeout(1 + Math.random() * Math.min(attempt, maxPauseMs));
  }
}
