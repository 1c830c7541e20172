import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { AuditEntryRow } from "../audit/audit-entry.ts";
import { insertAuditEntryFrom } from "../audit/insert-audit-entry-from.ts";
import { deleteWebsiteRow, type WebsiteVersion } from "./delete-website-row.ts";
import { notBeforeNewest } from "./not-before-newest.ts";
import type { DeleteWebsite } from "./website-delete.ts";

/**
 * Deletes a website with one statement, so that it is one round trip and one commit. The account is counted down only for a
 * row that this statement deleted, even if two deletes of it run at the same time.
 */
export function prepareDeleteInOneStatement(database: Database): DeleteWebsite {
  const remove = prepareRemove(database);
  return async (deletion) => {
    const counted = await database.writeOne(remove(deletion));
    return counted.length > 0;
  };
}

/**
 * The row of the account is locked first, as in a create. If the website's row were locked first, a create of the same domain
 * could wait for the delete while the delete waits for the create.
 */
function prepareRemove(database: Database) {
  const { build, dialect } = database;
  return prepare((value: Placeholder<WebsiteVersion & AuditEntryRow>) => {
    const lock = build
      .selectFrom("accounts")
      .select("id as locked_id")
      .where("id", "=", value("accountId"))
      .modifyEnd(dialect.forUpdate);
    return build
      .with("locked", () => lock)
      .with("removed", (after) =>
        deleteWebsiteRow(database, value).where(({ exists }) => exists(after.selectFrom("locked").select("locked_id"))),
      )
      .with("audited", () => insertAuditEntryFrom("removed", value, {}))
      .updateTable("accounts")
      .set((column) => ({
        website_count: column("website_count", "-", 1),
        last_website_created_at: notBeforeNewest(column, value("at")),
      }))
      .from("removed")
      .where("accounts.id", "=", value("accountId"))
      .whereRef("accounts.id", "=", "removed.account_id")
      .returning("accounts.id");
  });
}
