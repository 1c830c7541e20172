import { keptMs } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { ReadConnection, WriteConnection } from "../../dialects/connection.ts";
import { idempotencyKeys } from "../../tables/idempotency-keys.ts";
import { columnNames } from "../../tables/table.ts";
import { isExpired, type KeptOutcomeRow } from "./outcome.ts";

/** Identifies a kept outcome. */
type OutcomeKey = Pick<KeptOutcomeRow, "account_id" | "key">;

/** Returns a function that reads the outcome of an idempotency key, which may be expired. */
export function prepareFindOutcome({ build }: Pick<Database, "build">) {
  const find = prepare((value: Placeholder<OutcomeKey>) =>
    build
      .selectFrom("idempotency_keys")
      .select(columnNames(idempotencyKeys))
      .where("account_id", "=", value("account_id"))
      .where("key", "=", value("key")),
  );
  return async (connection: Pick<ReadConnection, "read">, key: OutcomeKey): Promise<KeptOutcomeRow | undefined> => {
    const [found] = await connection.read(find(key));
    return found;
  };
}

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
