import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareQuery } from "../../database/prepared-query.ts";
import { transact } from "../../database/transact.ts";
import type { WebsiteStore } from "../../storage.ts";
import { hasPassword } from "./website-row.ts";

/** Deletes a website, and takes it off the account's count and out of the search in the same transaction. */
export function prepareWebsiteDelete(database: Database): WebsiteStore["delete"] {
  const { websiteSearch } = database;
  const countDown = prepareCountDown(database);
  const remove = prepareRemove(database);
  return async (accountId, id) => {
    try {
      const hadPassword = await transact(database, async (transaction) => {
        const counted = await countDown(transaction, { accountId });
        const removed = counted.length === 0 ? [] : await remove(transaction, { accountId, id });
        if (removed.length === 0) throw new NothingToDelete();
        await websiteSearch.remove(transaction, { accountId, id });
        return Boolean(removed[0]?.had_password);
      });
      if (hadPassword) database.eraseSoon();
      return true;
    } catch (error) {
      if (error instanceof NothingToDelete) return false;
      throw error;
    }
  };
}

/** Rolls back what was counted down already. */
class NothingToDelete extends Error {}

/** Comes first: creating begins with the account's row as well, so that the two never wait for each other in a circle. */
function prepareCountDown({ write }: Database) {
  return prepareQuery((argument: Placeholder<{ accountId: number }>) =>
    write
      .updateTable("accounts")
      .set((column) => ({ website_count: column("website_count", "-", 1) }))
      .where("id", "=", argument("accountId"))
      .where("website_count", ">", 0)
      .returning("id"),
  );
}

function prepareRemove({ write }: Database) {
  return prepareQuery((argument: Placeholder<{ accountId: number; id: number }>) =>
    write
      .deleteFrom("websites")
      .where("account_id", "=", argument("accountId"))
      .where("id", "=", argument("id"))
      .returning(hasPassword().as("had_password")),
  );
}
