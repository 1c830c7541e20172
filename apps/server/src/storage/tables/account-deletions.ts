import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/**
 * The accounts whose deletion began, so that neither their ids nor those of their API keys are used again. A server may know a
 * deleted key for some seconds, and must not take it for a key of another account.
 */
export const accountDeletions = defineTable({
  name: "account_deletions",
  columns: {
    account_id: stored<number>(),
    /** The highest id of an API key of the account, or 0. The account gets no more keys. */
    last_api_key_id: stored<number>(),
    /** When the deletion began, in milliseconds since 1970. */
    began_at: stored<number>(),
  },
  key: ["account_id"],
  distributedBy: null,
});
