import type { Transaction } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareQuery } from "../../database/prepared-query.ts";
import { transact } from "../../database/transact.ts";
import type { NewWebsite, WebsiteStore } from "../../storage.ts";
import { StorageError } from "../../storage-error.ts";
import type { Schema } from "../../tables/schema.ts";
import { toWebsite } from "./website-row.ts";

/** Inserts a website under the next id of its account, which it takes from the account in the same transaction. */
export function prepareWebsiteCreate(database: Database): WebsiteStore["create"] {
  const { websiteSearch, now } = database;
  const takeId = prepareTakeId(database);
  const insert = prepareInsert(database);
  return (accountId, website) =>
    transact(database, async (transaction) => {
      const [account] = await takeId(transaction, { accountId, now: now() });
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      const { last_website_id: id, last_website_created_at: createdAt } = account;
      const row = toRow(accountId, id, createdAt, website);
      const inserted = await insert(transaction, row);
      if (inserted.length === 0) throw await domainTaken(transaction, accountId, website.domain);
      if (account.website_limit !== null && account.website_count > account.website_limit) {
        throw new StorageError({ reason: "website-limit-reached", limit: account.website_limit });
      }
      await websiteSearch.add(transaction, { accountId, id, domain: website.domain });
      return { website: toWebsite({ ...row, has_password: row.password_hash !== null }), version: row.version };
    });
}

/** An update locks the account's row on every engine, so that ids are given out one after the other. */
function prepareTakeId({ write }: Database) {
  return prepareQuery((argument: Placeholder<{ accountId: number; now: number }>) =>
    write
      .updateTable("accounts")
      .set((column) => ({
        website_count: column("website_count", "+", 1),
        last_website_id: column("last_website_id", "+", 1),
        last_website_created_at: column
          .case()
          .when("last_website_created_at", ">", argument("now"))
          .then(column.ref("last_website_created_at"))
          .else(argument("now"))
          .end(),
      }))
      .where("id", "=", argument("accountId"))
      .returning(["website_count", "website_limit", "last_website_id", "last_website_created_at"]),
  );
}

type NewRow = ReturnType<typeof toRow>;

function toRow(accountId: number, id: number, createdAt: number, website: NewWebsite) {
  return {
    account_id: accountId,
    id,
    domain: website.domain,
    privacy: website.privacy,
    password_hash: website.passwordHash,
    email: website.email,
    exclude_bots: website.exclude_bots,
    exclude_params: JSON.stringify(website.exclude_params),
    exclude_ips: JSON.stringify(website.exclude_ips),
    version: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Gives no row where the account already has the domain. */
function prepareInsert({ write }: Database) {
  return prepareQuery((argument: Placeholder<NewRow>) =>
    write
      .insertInto("websites")
      .values({
        account_id: argument("account_id"),
        id: argument("id"),
        domain: argument("domain"),
        privacy: argument("privacy"),
        password_hash: argument("password_hash"),
        email: argument("email"),
        exclude_bots: argument("exclude_bots"),
        exclude_params: argument("exclude_params"),
        exclude_ips: argument("exclude_ips"),
        version: argument("version"),
        created_at: argument("created_at"),
        updated_at: argument("updated_at"),
      })
      .onConflict((conflict) => conflict.columns(["account_id", "domain"]).doNothing())
      .returning("id"),
  );
}

async function domainTaken(transaction: Transaction<Schema>, accountId: number, domain: string): Promise<StorageError> {
  const { id } = await transaction
    .selectFrom("websites")
    .select("id")
    .where("account_id", "=", accountId)
    .where("domain", "=", domain)
    .executeTakeFirstOrThrow();
  return new StorageError({ reason: "domain-taken", domain, websiteId: id });
}
