import { StorageError } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, placeholderRow, prepare } from "../../database/prepare.ts";
import type { WriteConnection } from "../../dialects/connection.ts";
import { prepareTakeOutcome } from "../../reads/idempotency/find-outcome.ts";
import { type KeptCreation, keptSettings, replayCreation } from "../../reads/idempotency/kept-creation.ts";
import { type KeptOutcomeRow, readResult, resultOutcome } from "../../reads/idempotency/outcome.ts";
import { idempotencyKeys } from "../../tables/idempotency-keys.ts";
import { websites } from "../../tables/websites.ts";
import { type AuditedRecord, toAuditEntryRow } from "../audit/audit-entry.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";
import type { StorageWriter, WebsiteCreation } from "../storage-writer.ts";
import { assignWebsiteId } from "./assign-website-id.ts";
import { toNewRow, toVersionedWebsite, type WebsiteRow } from "./website-row.ts";

/** Creates a website with several statements in one transaction. The first one increments the id in the row of the account. */
export function prepareCreateInTransaction(database: Database): StorageWriter["createWebsite"] {
  const findCreation = prepareFindCreation(database);
  const keepCreation = prepareKeepCreation(database);
  const insert = prepareInsertWebsite(database);
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return (creation) =>
    database.write(async (transaction) => {
      const kept = await findCreation(transaction, creation);
      if (kept !== undefined) return replayCreation(kept);
      const row = await insert(transaction, creation);
      await insertAuditEntry(transaction, toAuditEntryRow(toAuditedRecord(row), creation.audit));
      await keepCreation(transaction, creation, row);
      return { ...toVersionedWebsite(row), isReplay: false };
    });
}

function toAuditedRecord({ account_id: accountId, id, version, created_at: at }: WebsiteRow): AuditedRecord {
  return { accountId, subject: "website", subjectId: id, version, action: "website.created", at };
}

/** Returns a function that inserts the row of a website under the next id, counts it, and adds it to the search index. */
function prepareInsertWebsite(database: Database) {
  const assignId = prepare((value: Placeholder<{ account_id: number; at: number }>) =>
    assignWebsiteId(database, value),
  );
  const insert = prepareInsert(database);
  return async (transaction: WriteConnection, { accountId, website, at }: WebsiteCreation): Promise<WebsiteRow> => {
    const [account] = await transaction.write(assignId({ account_id: accountId, at }));
    if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
    const { last_website_id: id, last_website_created_at: createdAt } = account;
    const row = { ...toNewRow(accountId, website), id, created_at: createdAt, updated_at: createdAt };
    const inserted = await transaction.write(insert(row));
    if (inserted.length === 0) throw await domainTaken(transaction, database, row);
    if (account.website_limit !== null && account.website_count > account.website_limit) {
      throw new StorageError({ reason: "website-limit-reached", limit: account.website_limit });
    }
    await database.websiteSearch.add(transaction, { accountId, id, domain: website.domain });
    return row;
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

/** Returns a function that finds the creation of an earlier request with the same idempotency key. */
function prepareFindCreation(database: Database) {
  const take = prepareTakeOutcome(database);
  return async (
    transaction: WriteConnection,
    { accountId, idempotency, at }: WebsiteCreation,
  ): Promise<KeptCreation | undefined> => {
    if (idempotency === undefined) return undefined;
    const kept = await take(transaction, { account_id: accountId, key: idempotency.key }, at);
    return kept === undefined ? undefined : readResult<KeptCreation>(kept, idempotency);
  };
}

function prepareKeepCreation({ build }: Database) {
  const keep = prepare((value: Placeholder<KeptOutcomeRow>) =>
    build.insertInto("idempotency_keys").values(placeholderRow(idempotencyKeys, value)),
  );
  return async (transaction: WriteConnection, { idempotency, at }: WebsiteCreation, row: WebsiteRow): Promise<void> => {
    if (idempotency === undefined) return;
    const creation: KeptCreation = { id: row.id, at: row.created_at, settings: keptSettings(row) };
    const kept = { account_id: row.account_id, ...idempotency, outcome: resultOutcome(creation), created_at: at };
    await transaction.write(keep(kept));
  };
}
