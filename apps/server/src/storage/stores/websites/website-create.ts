import type { Database } from "../../database/database.ts";
import { type Placeholder, placeholderRow, prepare } from "../../database/prepare.ts";
import type { WriteConnection } from "../../dialects/connection.ts";
import type { NewWebsite } from "../../storage.ts";
import { StorageError } from "../../storage-error.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import type { Schema } from "../../tables/schema.ts";
import { websiteRecord, websites } from "../../tables/websites.ts";

/** Inserts a website under the next id of its account. The same transaction increments the id in the row of the account. */
export function prepareWebsiteCreate(database: Database): StorageWriter["createWebsite"] {
  const { websiteSearch, write } = database;
  const assignId = prepareAssignId(database);
  const insert = prepareInsert(database);
  return ({ accountId, website, at }) =>
    write(async (transaction) => {
      const [account] = await transaction.write(assignId({ accountId, at }));
      if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
      const { last_website_id: id, last_website_created_at: createdAt } = account;
      const row = toRow(website, { account_id: accountId, id, created_at: createdAt });
      const inserted = await transaction.write(insert(row));
      if (inserted.length === 0) throw await domainTaken(transaction, database, row);
      if (account.website_limit !== null && account.website_count > account.website_limit) {
        throw new StorageError({ reason: "website-limit-reached", limit: account.website_limit });
      }
      await websiteSearch.add(transaction, { accountId, id, domain: website.domain });
      return { website: websiteRecord.fromRow(row), version: row.version };
    });
}

/** The update locks the row of the account on every engine, so ids are assigned one at a time. */
function prepareAssignId({ build }: Database) {
  return prepare((value: Placeholder<{ accountId: number; at: number }>) =>
    build
      .updateTable("accounts")
      .set((column) => ({
        website_count: column("website_count", "+", 1),
        last_website_id: column("last_website_id", "+", 1),
        last_website_created_at: column
          .case()
          .when("last_website_created_at", ">", value("at"))
          .then(column.ref("last_website_created_at"))
          .else(value("at"))
          .end(),
      }))
      .where("id", "=", value("accountId"))
      .returning(["website_count", "website_limit", "last_website_id", "last_website_created_at"]),
  );
}

type WebsiteRow = Schema["websites"];

function toRow(
  { passwordHash, ...settings }: NewWebsite,
  assigned: Pick<WebsiteRow, "account_id" | "id" | "created_at">,
): WebsiteRow {
  return {
    ...websiteRecord.toStored({ ...settings, password_hash: passwordHash }),
    ...assigned,
    version: 1,
    updated_at: assigned.created_at,
  };
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
