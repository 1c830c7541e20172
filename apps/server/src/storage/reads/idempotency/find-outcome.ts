import type { Database, ReadConnection } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { idempotencyKeys } from "../../tables/idempotency-keys.ts";
import { columnNames } from "../../tables/table.ts";
import type { KeptOutcomeRow } from "./outcome.ts";

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
