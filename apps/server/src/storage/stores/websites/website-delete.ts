import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { StorageWriter } from "../../storage-writer.ts";

/** Deletes a website. The same transaction decrements the count of the account and updates the search index. */
export function prepareWebsiteDelete(database: Database): StorageWriter["deleteWebsite"] {
  const { websiteSearch, write } = database;
  const decrementCount = prepareDecrementCount(database);
  const remove = prepareRemove(database);
  return async ({ accountId, id }) => {
    try {
      const hadPassword = await write(async (transaction) => {
        const counted = await transaction.write(decrementCount({ accountId }));
        const removed = counted.length === 0 ? [] : await transaction.write(remove({ accountId, id }));
        if (removed.length === 0) throw new NothingToDelete();
        await websiteSearch.remove(transaction, { accountId, id });
        return Boolean(removed[0]?.had_password);
      });
      if (hadPassword) database.eraseDeletedSoon();
      return true;
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
  return prepare((value: Placeholder<{ accountId: number }>) =>
    build
      .updateTable("accounts")
      .set((column) => ({ website_count: column("website_count", "-", 1) }))
      .where("id", "=", value("accountId"))
      .where("website_count", ">", 0)
      .returning("id"),
  );
}

function prepareRemove({ build }: Database) {
  return prepare((value: Placeholder<{ accountId: number; id: number }>) =>
    build
      .deleteFrom("websites")
      .where("account_id", "=", value("accountId"))
      .where("id", "=", value("id"))
      .returning(sql<boolean>`password_hash is not null`.as("had_password")),
  );
}
