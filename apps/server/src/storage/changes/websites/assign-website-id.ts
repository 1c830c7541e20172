import type { Database } from "../../database/database.ts";
import type { Placeholder } from "../../database/prepare.ts";
import { notBeforeNewest } from "./not-before-newest.ts";

/**
 * Builds the statement that assigns the next id of an account and counts one more website. It locks the row of the account on
 * every engine, so ids are assigned one at a time.
 */
export function assignWebsiteId(
  { build }: Pick<Database, "build">,
  value: Placeholder<{ account_id: number; at: number }>,
) {
  return build
    .updateTable("accounts")
    .set((column) => ({
      website_count: column("website_count", "+", 1),
      last_website_id: column("last_website_id", "+", 1),
      last_website_created_at: notBeforeNewest(column, value("at")),
    }))
    .where("id", "=", value("account_id"))
    .returning(["website_count", "website_limit", "last_website_id", "last_website_created_at"]);
}
