import type { ExpressionBuilder } from "kysely";
import type { Schema } from "../../tables/schema.ts";

/**
 * Builds the time of the account's newest creation or deletion after one at `at`. It never decreases, even if the clocks of
 * two machines differ. So a website is never created before an earlier one, or before a deletion that freed its domain.
 */
export function notBeforeNewest(column: ExpressionBuilder<Schema, "accounts">, at: number) {
  return column
    .case()
    .when("last_website_created_at", ">", at)
    .then(column.ref("last_website_created_at"))
    .else(at)
    .end();
}
