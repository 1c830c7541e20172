import { type Failure, type IdempotentRequest, isOutcome } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, placeholderRow, prepare } from "../../database/prepare.ts";
import { type KeptOutcomeRow, refusalOutcome } from "../../reads/idempotency/outcome.ts";
import { idempotencyKeys } from "../../tables/idempotency-keys.ts";
import { prepareTakeOutcome } from "./take-outcome.ts";

/** A change that may have an idempotency key. */
interface IdempotentChange {
  readonly accountId: number;
  readonly idempotency: IdempotentRequest | undefined;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Returns `run`, which keeps its result itself, with its refusals kept too. A refusal changed nothing, so it needs no
 * transaction with the work. If another request with the same key was acted on since, `run` runs again and finds its outcome.
 */
export function prepareKeepRefusal<Change extends IdempotentChange, Result>(
  database: Database,
  run: (change: Change) => Promise<Result>,
): (change: Change) => Promise<Result> {
  const keep = prepareKeep(database);
  return async (change) => {
    try {
      return await run(change);
    } catch (error) {
      if (change.idempotency === undefined || !isOutcome(error)) throw error;
      const isFirst = await keep({ ...change, idempotency: change.idempotency }, error.failure);
      if (isFirst) throw error;
      return run(change);
    }
  };
}

function prepareKeep(database: Database) {
  const take = prepareTakeOutcome(database);
  const insert = prepare((value: Placeholder<KeptOutcomeRow>) =>
    database.build
      .insertInto("idempotency_keys")
      .values(placeholderRow(idempotencyKeys, value))
      .onConflict((conflict) => conflict.columns(["account_id", "key"]).doNothing())
      .returning("key"),
  );
  return (
    { accountId, idempotency: { key, fingerprint }, at }: IdempotentChange & { idempotency: IdempotentRequest },
    refusal: Failure,
  ): Promise<boolean> =>
    database.write(async (transaction) => {
      const row = { account_id: accountId, key, fingerprint, outcome: refusalOutcome(refusal), created_at: at };
      if ((await take(transaction, row, at)) !== undefined) return false;
      const inserted = await transaction.write(insert(row));
      return inserted.length > 0;
    });
}
