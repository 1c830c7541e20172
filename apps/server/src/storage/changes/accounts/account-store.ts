import type { Database } from "../../database/database.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { createAccountReads } from "../../reads/accounts/account-reads.ts";
import { prepareAccountCreate } from "./account-create.ts";
import { prepareAccountUpdate } from "./account-update.ts";

/** Creates the store of accounts. A deletion concerns every store, so it is not part of this one. */
export function createAccountStore(database: Database): Omit<AccountStore, "delete"> {
  return {
    ...createAccountReads(database),
    create: prepareAccountCreate(database),
    update: prepareAccountUpdate(database),
  };
}
