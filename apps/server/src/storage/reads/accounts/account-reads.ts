import type { Database } from "../../database/database.ts";
import { inTurnOfAccount } from "../../database/in-turn-of-account.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { selectAccounts, toAccount } from "./account-row.ts";

/** Reads accounts. */
export function createAccountReads(database: Database): Pick<AccountStore, "get" | "first" | "list"> {
  const { primary } = database;
  const findById = prepare((value: Placeholder<{ id: number }>) =>
    selectAccounts(database).where("id", "=", value("id")),
  );
  return {
    get: inTurnOfAccount(async (id) => {
      const [row] = await primary.read(findById({ id }));
      return row === undefined ? undefined : toAccount(row);
    }),
    async first() {
      const [row] = await primary.read(selectAccounts(database).orderBy("id").limit(1));
      return row === undefined ? undefined : toAccount(row);
    },
    async list() {
      const rows = await primary.read(selectAccounts(database).orderBy("id"));
      return rows.map(toAccount);
    },
  };
}
