import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { WebsiteStore } from "../../storage.ts";

/** Deletes a website. In the same transaction the count of the account falls and the search index loses the website. */
export function prepareWebsiteDelete(database: Database): WebsiteStore["delete"] {
  const { websiteSearch, write } = database;
  const decrementCount = prepareDecrementCount(database);
  const remove = prepareRemove(database);
  return async (accountId, id) => {
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

/** Rolls back the count, which comes first. */
class NothingToDelete extends Error {}

/** Comes first: a create begins with the row of the account too, so that the two never wait for each other in a circle. */
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
