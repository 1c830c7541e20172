import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Placeholder } from "../../database/prepare.ts";
import type { WebsiteKey } from "../../storage-writer.ts";

/** A website that was deleted. */
export interface DeletedWebsite {
  readonly hadPassword: boolean;
}

/** Builds the statement that deletes the row of a website, which returns a row if there was one. */
export function deleteWebsiteRow({ build }: Pick<Database, "build">, value: Placeholder<WebsiteKey>) {
  return build
    .deleteFrom("websites")
    .where("account_id", "=", value("accountId"))
    .where("id", "=", value("id"))
    .returning(["account_id", sql<boolean>`password_hash is not null`.as("had_password")]);
}
