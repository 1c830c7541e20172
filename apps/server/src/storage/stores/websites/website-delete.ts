import type { Database } from "../../database/database.ts";
import type { StorageWriter, WebsiteKey } from "../../storage-writer.ts";
import { prepareDeleteInOneStatement } from "./delete-in-one-statement.ts";
import { prepareDeleteInTransaction } from "./delete-in-transaction.ts";
import type { DeletedWebsite } from "./delete-website-row.ts";

/** Deletes a website, and no longer counts it in its account. */
export function prepareWebsiteDelete(database: Database): StorageWriter["deleteWebsite"] {
  const remove = prepareDelete(database);
  return async (key) => {
    const deleted = await remove(key);
    if (deleted?.hadPassword === true) database.eraseDeletedSoon();
    return deleted !== undefined;
  };
}

function prepareDelete(database: Database): (key: WebsiteKey) => Promise<DeletedWebsite | undefined> {
  return database.dialect.changesTablesInOneStatement
    ? prepareDeleteInOneStatement(database)
    : prepareDeleteInTransaction(database);
}
