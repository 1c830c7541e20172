import type { Database } from "../../database/database.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { createAccountReads } from "../../reads/accounts/account-reads.ts";
import { prepareCreateAccount } from "./create-account.ts";
import { prepareUpdateAccount } from "./update-account.ts";

/** Creates the store of accounts. A deletion concerns every store, so it is not part of this one. */
export function createAccountStore(database: Database): Omit<AccountStore, "delete"> {
  return {
    ...createAccountReads(database),
    create: prepareCreateAccount(database),
    update: prepareUpdateAccount(database),
  };
}
