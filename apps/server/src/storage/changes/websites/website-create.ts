import type { Database } from "../../database/database.ts";
import { prepareKeepRefusal } from "../idempotency/keep-refusal.ts";
import type { StorageWriter } from "../storage-writer.ts";
import { prepareCreateInOneStatement } from "./create-in-one-statement.ts";
import { prepareCreateInTransaction } from "./create-in-transaction.ts";

/** Inserts a website under the next id of its account, and counts it there. */
export function prepareWebsiteCreate(database: Database): StorageWriter["createWebsite"] {
  const create = database.dialect.changesTablesInOneStatement
    ? prepareCreateInOneStatement(database)
    : prepareCreateInTransaction(database);
  return prepareKeepRefusal(database, create);
}
