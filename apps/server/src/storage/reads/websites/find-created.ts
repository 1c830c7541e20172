import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { prepareFindOutcome } from "../idempotency/find-outcome.ts";
import { prepareReplayCreation } from "../idempotency/kept-creation.ts";
import { isExpired } from "../idempotency/outcome.ts";

/** Finds the creation of an earlier request with the same idempotency key. */
export function prepareFindCreated(database: Database): WebsiteStore["findCreated"] {
  const find = prepareFindOutcome(database);
  const replay = prepareReplayCreation(database);
  return async (accountId, idempotency) => {
    if (idempotency === undefined) return undefined;
    const kept = await find(database.primary, { account_id: accountId, key: idempotency.key });
    if (kept === undefined || isExpired(kept, database.now())) return undefined;
    return replay(database.primary, kept, idempotency);
  };
}
