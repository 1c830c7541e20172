import type { Database } from "../../database/database.ts";
import type { Placeholder } from "../../database/prepare.ts";
import type { WebsiteKey } from "../storage-writer.ts";

/** Identifies a version of a website. */
export type WebsiteVersion = WebsiteKey & { readonly expectedVersion: number };

/** Builds the statement that deletes a website if it still has the expected version, and returns a row if it had. */
export function deleteWebsiteRow({ build }: Pick<Database, "build">, value: Placeholder<WebsiteVersion>) {
  return build
    .deleteFrom("websites")
    .where("account_id", "=", value("accountId"))
    .where("id", "=", value("id"))
    .where("version", "=", value("expectedVersion"))
    .returning("account_id");
}
