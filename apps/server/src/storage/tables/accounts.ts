import { stored } from "./column.ts";
import { defineTable } from "./table.ts";

/** Accounts, and what is counted for each. Times are milliseconds since 1970. */
export const accounts = defineTable({
  name: "accounts",
  columns: {
    id: stored<number>(),
    name: stored<string>(),
    email: stored<string>(),
    /** Changed in the transactions that insert and delete websites, so that it is exact. */
    website_count: stored<number>(),
    /** Null means no limit. */
    website_limit: stored<number | null>(),
    /** The highest website id ever used; ids are never used twice. */
    last_website_id: stored<number>(),
    /** No later website has an earlier time of creation, even if the clock runs backwards. */
    last_website_created_at: stored<number>(),
    created_at: stored<number>(),
    updated_at: stored<number>(),
  },
  key: ["id"],
});
