import type { Database } from "../../database/database.ts";
import { type Placeholder, placeholderRow, prepare } from "../../database/prepare.ts";
import type { WriteConnection } from "../../dialects/connection.ts";
import { StorageError } from "../../storage-error.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import { websites } from "../../tables/websites.ts";
import { assignWebsiteId } from "./assign-website-id.ts";
import { toNewRow, toVersionedWebsite, type WebsiteRow } from "./website-row.ts";

/** Creates a website with several statements in one transaction. The first one increments the id in the row of the account. */
export function prepareCreateInTransaction(database: Database): StorageWriter["createWebsite"] {
  const { websiteSearch, write } = database;
  const assignId = prepare((value: Placeholder<{ account_id: number; at: number }>) =>
    assignWebsiteId(database, value),
  );
  const insert = prepareInsert(database);
  return ({ accountId, website, at }) =>
    write(async (transaction) => {
      const [account] = await transaction.write(assignId({ account_id: accountId, at }));
      if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
      const { last_website_id: id, last_website_created_at: createdAt } = account;
      const row = { ...toNewRow(accountId, website), id, created_at: createdAt, updated_at: createdAt };
      const inserted = await transaction.write(insert(row));
      if (inserted.length === 0) throw await domainTaken(transaction, database, row);
      if (account.website_limit !== null && account.website_count > account.website_limit) {
        throw new StorageError({ reason: "website-limit-reached", limit: account.website_limit });
      }
      await websiteSearch.add(transaction, { accountId, id, domain: website.domain });
      return toVersionedWebsite(row);
    });
}

/** Returns no row if a website of the account already has the domain. */
function prepareInsert({ build }: Database) {
  return prepare((value: Placeholder<WebsiteRow>) =>
    build
      .insertInto("websites")
      .values(placeholderRow(websites, value))
      .onConflict((conflict) => conflict.columns(["account_id", "domain"]).doNothing())
      .returning("id"),
  );
}

async function domainTaken(
  transaction: WriteConnection,
  { build }: Database,
  { account_id: accountId, domain }: WebsiteRow,
): Promise<StorageError> {
  const owner = build.selectFrom("websites").select("id");
  const [found] = await transaction.read(owner.where("account_id", "=", accountId).where("domain", "=", domain));
  if (found === undefined)
    throw new Error(`Inserting the domain ${domain} failed, but no website of account ${accountId} has it.`);
  return new StorageError({ reason: "domain-taken", domain, websiteId: found.id });
}
