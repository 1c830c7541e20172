import type { Database } from "./database.ts";
import { type Placeholder, prepareQuery } from "./prepared-query.ts";
import type { WebsiteStore } from "./storage.ts";
import { transact } from "./transact.ts";

/** Deletes a website, and takes it off the account's count and out of the search in the same transaction. */
export function prepareWebsiteDelete(database: Database): WebsiteStore["delete"] {
  const { write, dialect } = database;
  const remove = prepareQuery((argument: Placeholder<{ accountId: number; id: number }>) =>
    write
      .deleteFrom("websites")
      .where("account_id", "=", argument("accountId"))
      .where("id", "=", argument("id"))
      .returning("id"),
  );
  const countDown = prepareQuery((argument: Placeholder<{ accountId: number }>) =>
    write
      .updateTable("accounts")
      .set((column) => ({ website_count: column("website_count", "-", 1) }))
      .where("id", "=", argument("accountId")),
  );
  return (accountId, id) =>
    transact(database, async (transaction) => {
      const removed = await remove(transaction, { accountId, id });
      if (removed.length === 0) return false;
      await countDown(transaction, { accountId });
      await dialect.websiteSearch.remove(transaction, { accountId, id });
      return true;
    });
}
