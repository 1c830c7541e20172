import type { Database } from "../engines/database.ts";

/** The sabotage of rows about idempotency keys. */
export async function forgetOutcomes(database: Database): Promise<void> {
  await database.query("delete from idempotency_keys");
}
