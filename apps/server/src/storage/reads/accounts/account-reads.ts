import type { Database } from "../../database/database.ts";
import { inTurnOfAccount } from "../../database/in-turn-of-account.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { selectAccounts, toAccount } from "./account-row.ts";

/** Reads accounts. */
export function createAccountReads(database: Database): Pick<AccountStore, "get" | "firstId" | "totals" | "list"> {
  const { primary, build } = database;
  const findById = prepare((value: Placeholder<{ id: number }>) =>
    selectAccounts(database).where("id", "=", value("id")),
  );
  return {
    get: inTurnOfAccount(database, async (id) => {
      const [row] = await primary.read(findById({ id }));
      return row === undefined ? undefined : toAccount(row);
    }),
    async firstId() {
      // Every node has the keys. The accounts are on several, one of which may have failed when a server starts.
      return (database.isDistributed ? await findFirstWithKey(database) : undefined) ?? findFirst(database);
    },
    async totals() {
      const { count, sum } = build.fn;
      const [row] = await primary.read(
        build
          .selectFrom("accounts")
          .select([count<number>("id").as("accounts"), sum<number | string | null>("website_count").as("websites")]),
      );
      // PostgreSQL adds up 64-bit integers as a decimal number, which is a string.
      return { accounts: row?.accounts ?? 0, websites: Number(row?.websites ?? 0) };
    },
    async list() {
      const rows = await primary.read(selectAccounts(database).orderBy("id"));
      return rows.map(toAccount);
    },
  };
}

async function findFirst({ primary, build }: Database): Promise<number | undefined> {
  const [row] = await primary.read(build.selectFrom("accounts").select("id").orderBy("id").limit(1));
  return row?.id;
}

async function findFirstWithKey({ primary, build }: Database): Promise<number | undefined> {
  const key = build.selectFrom("api_keys").select("account_id").orderBy("account_id").limit(1);
  const [row] = await primary.read(key);
  return row?.account_id;
}
