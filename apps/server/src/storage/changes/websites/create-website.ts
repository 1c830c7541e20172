import {
  type Created,
  databaseBusy,
  domainTaken,
  type IdempotentRequest,
  keptMs,
  type NewWebsite,
  websiteLimitReached,
} from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { prepareFindOutcome } from "../../reads/idempotency/find-outcome.ts";
import { prepareReplayCreation } from "../../reads/idempotency/kept-creation.ts";
import { isExpired } from "../../reads/idempotency/outcome.ts";
import { unicodeDomain } from "../../tables/unicode-domain.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { type AuditedChange, toAuditEntryRow } from "../audit/audit-entry.ts";
import { prepareRequireTrailRoom, type TrailUse, toTrailValues } from "../audit/trail-limit.ts";
import { prepareKeepRefusal } from "../idempotency/keep-refusal.ts";
import { prepareInsertKeptWebsite, prepareInsertWebsite, type UnassignedRow } from "./insert-website.ts";

export interface WebsiteCreation {
  readonly accountId: number;
  readonly website: NewWebsite;
  readonly audit: AuditedChange;
  readonly idempotency: IdempotentRequest | undefined;
  /** The time of the creation, in milliseconds since 1970. If the account has a newer creation or deletion, its time is stored. */
  readonly at: number;
  readonly trail: TrailUse;
}

/** How often a create runs again because what prevented it was gone when the reason was read. */
const maxAttempts = 100;

/**
 * Creates a website, or finds out why it cannot.
 *
 * The insert does nothing if the domain is taken, a limit is reached, or the idempotency key was used. A second read finds
 * out which. If another transaction takes the domain or the key while the insert waits for the row of the account, it fails
 * with a unique violation, which also undoes the count. Then it runs again and finds it taken.
 */
export function prepareCreateWebsite(database: Database): (creation: WebsiteCreation) => Promise<Created> {
  const insert = prepareInsert(database);
  const findEarlier = prepareFindEarlier(database);
  const requireTrailRoom = prepareRequireTrailRoom(database);
  const requireRoom = prepareRequireRoom(database);
  return prepareKeepRefusal(database, async (creation) => {
    const { accountId, website, trail } = creation;
    const row = toNewRow(accountId, website);
    for (let count = 1; count <= maxAttempts; count += 1) {
      const assigned = await insert(creation, row);
      if (assigned !== undefined) {
        const created = websiteRecord.fromRow({ ...row, ...assigned, updated_at: assigned.created_at });
        return { website: created, version: row.version, isReplay: false };
      }
      const earlier = await findEarlier(creation);
      if (earlier !== undefined) return earlier;
      await requireTrailRoom(accountId, trail);
      await requireRoom({ accountId, domain: website.domain });
    }
    throw databaseBusy(new Error(`The websites of account ${accountId} changed too often.`));
  });
}

function toNewRow(accountId: number, { passwordHash, ...settings }: NewWebsite): UnassignedRow {
  return {
    ...websiteRecord.toStored({ ...settings, password_hash: passwordHash }),
    account_id: accountId,
    unicode_domain: unicodeDomain(settings.domain),
    version: 1,
  };
}

function prepareInsert(database: Database) {
  const insert = prepareInsertWebsite(database);
  const insertKept = prepareInsertKeptWebsite(database);
  return ({ accountId, idempotency, audit, at, trail }: WebsiteCreation, row: UnassignedRow) => {
    const { version } = row;
    const record = { accountId, subject: "website", subjectId: 0, version, action: "website.created", at } as const;
    const values = { ...row, ...toAuditEntryRow(record, audit), ...toTrailValues(trail) };
    return idempotency === undefined ? insert(values) : insertKept({ ...values, ...idempotency });
  };
}

/** Returns a function that finds the creation of an earlier request with the same idempotency key. An expired outcome is deleted. */
function prepareFindEarlier({ build, primary, writeOne }: Database) {
  const find = prepareFindOutcome({ build });
  const replay = prepareReplayCreation({ build });
  return async ({ accountId, idempotency, at }: WebsiteCreation): Promise<Created | undefined> => {
    if (idempotency === undefined) return undefined;
    const kept = await find(primary, { account_id: accountId, key: idempotency.key });
    if (kept === undefined || !isExpired(kept, at)) return kept && replay(primary, kept, idempotency);
    // This compares the age again: another request may have replaced the outcome since it was read.
    const remove = build.deleteFrom("idempotency_keys").where("account_id", "=", accountId);
    await writeOne(remove.where("key", "=", idempotency.key).where("created_at", "<=", at - keptMs));
    return undefined;
  };
}

/** Returns a function that throws the reason why an account cannot get a website with this domain, if there still is one. */
function prepareRequireRoom({ build, primary }: Database) {
  const find = prepare((value: Placeholder<{ accountId: number; domain: string }>) =>
    build
      .selectFrom("accounts")
      .leftJoin("websites", (join) =>
        join.on("websites.account_id", "=", value("accountId")).on("websites.domain", "=", value("domain")),
      )
      .select(["accounts.website_count", "accounts.website_limit", "websites.id as ownerId"])
      .where("accounts.id", "=", value("accountId")),
  );
  return async ({ accountId, domain }: { accountId: number; domain: string }): Promise<void> => {
    const [account] = await primary.read(find({ accountId, domain }));
    if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
    const { website_count: count, website_limit: limit, ownerId } = account;
    if (ownerId !== null) throw domainTaken({ domain, websiteId: ownerId });
    if (limit !== null && count >= limit) throw websiteLimitReached(limit);
  };
}
