import type { Database } from "../../database/database.ts";

const maxWebsites = 200;

/**
 * Deletes the first websites of an account in order of id. Begins with the row of the account, as every change of the number of
 * websites does.
 */
export function deleteSomeWebsites(database: Database, accountId: number): Promise<number> {
  const { build, dialect, websiteSearch } = database;
  return database.write(async (transaction) => {
    const account = build.selectFrom("accounts").select("id").where("id", "=", accountId);
    await transaction.read(account.modifyEnd(dialect.forUpdate));
    const ofAccount = build.selectFrom("websites").select("id").where("account_id", "=", accountId);
    const ids = (await transaction.read(ofAccount.orderBy("id").limit(maxWebsites))).map(({ id }) => id);
    const [lowest, highest] = [ids[0], ids.at(-1)];
    if (lowest === undefined || highest === undefined) return 0;
    await transaction.write(
      build
        .updateTable("accounts")
        .set((column) => ({ website_count: column("website_count", "-", ids.length) }))
        .where("id", "=", accountId),
    );
    const remove = build.deleteFrom("websites").where("account_id", "=", accountId);
    await transaction.write(remove.where("id", ">=", lowest).where("id", "<=", highest));
    await websiteSearch.removeRange(transaction, accountId, { lowest, highest });
    return ids.length;
  });
}
