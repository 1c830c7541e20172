import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** The outcomes of requests that had an idempotency key, each written in the transaction of the work. */
export const idempotencyKeys = defineTable({
  name: "idempotency_keys",
  columns: {
    account_id: stored<number>(),
    /** As the client sent it. */
    key: stored<string>(),
    /** Identifies what the request said. */
    fingerprint: stored<string>(),
    /** A JSON object: the result or the refusal. See `reads/idempotency/outcome.ts`. */
    outcome: stored<string>(),
    /** By the clock. A website's own time may be later: it is never before that of an older website. */
    created_at: stored<number>(),
  },
  key: ["account_id", "key"],
  distributedBy: "account_id",
});
