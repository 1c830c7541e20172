import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";
import { deleteWebsiteRow, type WebsiteVersion } from "./delete-website-row.ts";
import { notBeforeNewest } from "./not-before-newest.ts";
import type { DeleteWebsite } from "./website-delete.ts";

/** Deletes a website with several statements in one transaction. They change the account, the website and the search index. */
export function prepareDeleteInTransaction(database: Database): DeleteWebsite {
  const { websiteSearch, write } = database;
  const decrementCount = prepareDecrementCount(database);
  const remove = prepare((value: Placeholder<WebsiteVersion>) => deleteWebsiteRow(database, value));
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return async (deletion) => {
    try {
      return await write(async (transaction) => {
        const counted = await transaction.write(decrementCount(deletion));
        const removed = counted.length === 0 ? [] : await transaction.write(remove(deletion));
        if (removed.length === 0) throw new NothingToDelete();
        await websiteSearch.remove(transaction, deletion);
        await insertAuditEntry(transaction, deletion);
        return true;
      });
    } catch (error) {
      if (error instanceof NothingToDelete) return false;
      throw error;
    }
  };
}

/** Rolls back the transaction, which has already decremented the count. */
class NothingToDelete extends Error {}

/** Runs first. A create also begins with the row of the account, so the two never deadlock. */
function prepareDecrementCount({ build }: Database) {
  return prepare((value: Placeholder<{ accountId: number; at: number }>) =>
    build
      .updateTable("accounts")
      .set((column) => ({
        website_count: column("website_count", "-", 1),
        last_website_created_at: notBeforeNewest(column, value("at")),
      }))
      .where("id", "=", value("accountId"))
      .where("website_count", ">", 0)
      .returning("id"),
  );
}
