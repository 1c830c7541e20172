import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** API keys. The key itself is not stored, only its hash. Times are milliseconds since 1970. */
export const apiKeys = defineTable({
  name: "api_keys",
  columns: {
    id: stored<number>(),
    account_id: stored<number>(),
    name: stored<string>(),
    /** The first characters of the key, unique among all keys. */
    prefix: stored<string>(),
    /** SHA-256 of the whole key. */
    hash: stored<Uint8Array>(),
    /** A JSON array of strings. */
    scopes: stored<string>(),
    created_at: stored<number>(),
    expires_at: stored<number | null>(),
    revoked_at: stored<number | null>(),
    last_used_at: stored<number | null>(),
    /** Counts from 1 and rises with every change, but not with every use. */
    version: stored<number>(),
    /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
    rate_limit: stored<number | null>(),
  },
  key: ["id"],
  distributedBy: null,
});
