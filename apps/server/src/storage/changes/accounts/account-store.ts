import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { selectAccounts, toAccount } from "../../reads/accounts/account-row.ts";
import { prepareAccountCreate } from "./account-create.ts";
import { prepareAccountUpdate } from "./account-update.ts";

/** Creates the store of accounts. A deletion concerns every store, so it is not part of this one. */
export function createAccountStore(database: Database): Omit<AccountStore, "delete"> {
  const { primary } = database;
  const findById = prepare((value: Placeholder<{ id: number }>) =>
    selectAccounts(database).where("id", "=", value("id")),
  );
  return {
    async get(id) {
      const [row] = await primary.read(findById({ id }));
      return row === undefined ? undefined : toAccount(row);
    },
    async first() {
      const [row] = await primary.read(selectAccounts(database).orderBy("id").limit(1));
      return row === undefined ? undefined : toAccount(row);
    },
    async list() {
      const rows = await primary.read(selectAccounts(database).orderBy("id"));
      return rows.map(toAccount);
    },
    create: prepareAccountCreate(database),
    update: prepareAccountUpdate(database),
  };
}
