import { keptMs } from "@siteward/service";
import type { Database, WriteConnection } from "../../database/database.ts";
import { type OutcomeKey, prepareFindOutcome } from "../../reads/idempotency/find-outcome.ts";
import { isExpired, type KeptOutcomeRow } from "../../reads/idempotency/outcome.ts";

/**
 * Returns a function that reads the outcome of an idempotency key. If it is expired, it is deleted. The deletion compares the
 * age again: another request may have replaced the expired outcome since the read.
 */
export function prepareTakeOutcome(database: Pick<Database, "build">) {
  const find = prepareFindOutcome(database);
  return async (
    connection: Pick<WriteConnection, "read" | "write">,
    key: OutcomeKey,
    at: number,
  ): Promise<KeptOutcomeRow | undefined> => {
    const kept = await find(connection, key);
    if (kept === undefined || !isExpired(kept, at)) return kept;
    const remove = database.build.deleteFrom("idempotency_keys").where("account_id", "=", key.account_id);
    await connection.write(remove.where("key", "=", key.key).where("created_at", "<=", at - keptMs));
    return undefined;
  };
}
