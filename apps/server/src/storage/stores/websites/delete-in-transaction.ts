import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { WebsiteKey } from "../../storage-writer.ts";
import { type DeletedWebsite, deleteWebsiteRow } from "./delete-website-row.ts";

/** Deletes a website with several statements in one transaction. They change the account, the website and the search index. */
export function prepareDeleteInTransaction(
  database: Database,
): (key: WebsiteKey) => Promise<DeletedWebsite | undefined> {
  const { websiteSearch, write } = database;
  const decrementCount = prepareDecrementCount(database);
  const remove = prepare((value: Placeholder<WebsiteKey>) => deleteWebsiteRow(database, value));
  return async ({ accountId, id }) => {
    try {
      return await write(async (transaction) => {
        const counted = await transaction.write(decrementCount({ accountId }));
        const [removed] = counted.length === 0 ? [] : await transaction.write(remove({ accountId, id }));
        if (removed === undefined) throw new NothingToDelete();
        await websiteSearch.remove(transaction, { accountId, id });
        return { hadPassword: Boolean(removed.had_password) };
      });
    } catch (error) {
      if (error instanceof NothingToDelete) return undefined;
      throw error;
    }
  };
}

/** Rolls back the transaction, which has already decremented the count. */
class NothingToDelete extends Error {}

/** Runs first. A create also begins with the row of the account, so the two never deadlock. */
function prepareDecrementCount({ build }: Database) {
  return prepare((value: Placeholder<{ accountId: number }>) =>
    build
      .updateTable("accounts")
      .set((column) => ({ website_count: column("website_count", "-", 1) }))
      .where("id", "=", value("accountId"))
      .where("website_count", ">", 0)
      .returning("id"),
  );
}
