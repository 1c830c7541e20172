import { type Failure, type IdempotentRequest, isOutcome } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type KeptOutcomeRow, refusalOutcome } from "../../reads/idempotency/outcome.ts";
import { prepareRun } from "../../run/prepare-run.ts";
import { rowOf, Steps } from "../../run/steps.ts";
import { countOutcome } from "../audit/trail-bytes.ts";
import { addTrailBytes, type TrailUse, type TrailValues, toTrailValues } from "../audit/trail-limit.ts";

/** A change that may have an idempotency key. */
interface IdempotentChange {
  readonly accountId: number;
  readonly idempotency: IdempotentRequest | undefined;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  readonly trail: TrailUse;
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

type Values = KeptOutcomeRow & TrailValues;

/** An expired outcome was deleted before. Of two requests at the same time, that of the second may count in the trail too. */
function prepareKeep(database: Database) {
  const keep = prepareRun<Values, object>(database, {
    steps: new Steps<Values>()
      .step("counted", ({ build, value }) =>
        build.updateTable("accounts").set(addTrailBytes(value)).where("id", "=", value("account_id")).returning("id"),
      )
      .step("kept", ({ value, insertAfter }) =>
        insertAfter("counted", "idempotency_keys", rowOf("idempotency_keys", value, {}))
          .onConflict((conflict) => conflict.columns(["account_id", "key"]).doNothing())
          .returning("key"),
      ).list,
    result: "kept",
  });
  return async (
    { accountId, idempotency, at, trail }: IdempotentChange & { readonly idempotency: IdempotentRequest },
    refusal: Failure,
  ): Promise<boolean> => {
    const outcome = refusalOutcome(refusal);
    const row = { account_id: accountId, ...idempotency, outcome, created_at: at };
    const bytes = countOutcome(idempotency, outcome.length);
    return (await keep({ ...row, ...toTrailValues({ ...trail, bytes }) })) !== undefined;
  };
}
