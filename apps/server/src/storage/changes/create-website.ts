import { toUnicodeDomain } from "@siteward/contract";
import {
  type Created,
  domainTaken,
  type Failure,
  type IdempotentRequest,
  isOutcome,
  keptMs,
  type NewWebsite,
  websiteLimitReached,
} from "@siteward/service";
import { insertInto, prepareChange } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import { prepared, sql } from "../engine/statement.ts";
import { prepareFindCreated, refusalOutcome } from "../reads/kept-outcome.ts";
import type { AccountRow, KeptOutcomeRow } from "../tables/schema.ts";
import { websiteRecord } from "../tables/websites.ts";
import { prepareInsertWebsite, type UnassignedRow } from "./insert-website.ts";
import {
  type AuditedChange,
  addTrailBytes,
  countRow,
  requireTrailRoom,
  type TrailUse,
  type TrailValues,
  toAuditEntryRow,
  toTrailValues,
} from "./trail.ts";
import { untilNoConflict } from "./update-row.ts";

export interface WebsiteCreation {
  readonly accountId: number;
  readonly website: NewWebsite;
  readonly audit: AuditedChange;
  readonly idempotency: IdempotentRequest | undefined;
  /** Its time is that of the creation. If the account has a newer creation or deletion, the time of that is stored. */
  readonly trail: TrailUse;
}

/** The account assigns the ID. */
const entryOfCreation = { subject: "website", subject_id: 0, version: 1, action: "website.created" } as const;
/** Without an idempotency key, these values are not used. */
const noKey: IdempotentRequest = { key: "", fingerprint: "" };

/**
 * Creates a website, or finds out why it cannot.
 *
 * The insert does nothing if the domain is taken, a limit is reached, or the idempotency key was used. A second read
 * finds out which. If another transaction takes the domain or the key while the insert waits for the row of the
 * account, it fails with a unique violation, which also undoes the count. Then it runs again and finds it taken.
 */
export function prepareCreateWebsite(database: Database): (creation: WebsiteCreation) => Promise<Created> {
  const insertPlain = prepareInsertWebsite(database, false);
  const insertKept = prepareInsertWebsite(database, true);
  const findEarlier = prepareFindEarlier(database);
  return keepRefusals(database, async (creation) => {
    const { accountId, website, audit, trail, idempotency = noKey } = creation;
    const insert = idempotency === noKey ? insertPlain : insertKept;
    const row = toNewRow(accountId, website);
    const entry = toAuditEntryRow({ ...entryOfCreation, account_id: accountId, at: trail.nowMs }, audit);
    const values = { ...row, ...entry, ...toTrailValues(trail), ...idempotency };
    return untilNoConflict<Created>(`The list of websites of account ${accountId}`, async () => {
      const assigned = await insert(values);
      if (assigned !== undefined) {
        const created = websiteRecord.fromRow({ ...row, ...assigned, updated_at: assigned.created_at });
        return { website: created, version: row.version, isReplay: false };
      }
      const earlier = await findEarlier(creation);
      if (earlier !== undefined) return earlier;
      await requireRoom(database, creation);
      // What prevented it was gone when the reason was read.
      return "conflict";
    });
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

/** Returns what `websites.unicode_domain` stores for a canonical domain: its Unicode form, or null if it is the same. */
export function unicodeDomain(domain: string): string | null {
  // Almost no domain. To convert one takes 0.5 µs, and 3 µs for each label in Punycode.
  if (!domain.includes("xn--")) return null;
  const unicode = toUnicodeDomain(domain);
  return unicode === domain ? null : unicode;
}

/**
 * Returns a function that finds the creation of an earlier request with the same idempotency key. An expired outcome is
 * deleted.
 */
function prepareFindEarlier(database: Database) {
  const find = prepareFindCreated(database);
  return async ({ accountId, idempotency, trail }: WebsiteCreation): Promise<Created | undefined> => {
    if (idempotency === undefined) return undefined;
    const found = await find(accountId, idempotency, trail.nowMs);
    if (found !== "expired") return found;
    // This compares the age again: another request may have replaced the outcome since it was read.
    await database.writeOne(
      sql`delete from idempotency_keys where account_id = :accountId and key = :key and created_at <= :until`,
      { accountId, key: idempotency.key, until: trail.nowMs - keptMs },
    );
    return undefined;
  };
}

interface Room extends Pick<AccountRow, "website_count" | "website_limit" | "trail_day" | "trail_bytes"> {
  /** The website that has the domain. Null if none has. */
  readonly owner_id: number | null;
}

const findRoom = prepared<Room>(sql`select website_count, website_limit, trail_day, trail_bytes, websites.id as owner_id
  from accounts left join websites on websites.account_id = :accountId and websites.domain = :domain
  where accounts.id = :accountId`);

/** Throws the reason why an account cannot get a website with this domain, if there still is one. */
async function requireRoom({ primary }: Database, { accountId, website: { domain }, trail }: WebsiteCreation) {
  const [account] = await primary.read(findRoom, { accountId, domain });
  if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
  requireTrailRoom(account, trail);
  const { website_count: count, website_limit: limit, owner_id: ownerId } = account;
  if (ownerId !== null) throw domainTaken({ domain, websiteId: ownerId });
  if (limit !== null && count >= limit) throw websiteLimitReached(limit);
}

type Create = (creation: WebsiteCreation) => Promise<Created>;

/**
 * Returns `create`, which keeps its result itself, with its refusals kept too. A refusal changed nothing, so it needs no
 * transaction with the work. If another request with the same key was acted on since, `create` runs again and finds its outcome.
 */
function keepRefusals(database: Database, create: Create): Create {
  const keep = prepareKeep(database);
  return async (creation) => {
    try {
      return await create(creation);
    } catch (error) {
      const { idempotency } = creation;
      if (idempotency === undefined || !isOutcome(error)) throw error;
      if (await keep(creation, idempotency, error.failure)) throw error;
      return create(creation);
    }
  };
}

/** An expired outcome was deleted before. Of two requests at the same time, that of the second may count in the trail too. */
function prepareKeep(database: Database) {
  const row = insertInto("idempotency_keys", {}, sql`{from counted}`);
  const steps = [
    { name: "counted", sql: sql`update accounts set ${addTrailBytes} where id = :account_id returning id` },
    { name: "kept", sql: sql`${row} where true on conflict (account_id, key) do nothing returning key` },
  ];
  const keep = prepareChange<KeptOutcomeRow & TrailValues, object>(database, { steps, result: "kept" });
  return async ({ accountId, trail }: WebsiteCreation, request: IdempotentRequest, refusal: Failure) => {
    const outcome = refusalOutcome(refusal);
    const row = { account_id: accountId, ...request, outcome, created_at: trail.nowMs };
    const bytes = countRow(request.key, request.fingerprint, outcome);
    return (await keep({ ...row, ...toTrailValues({ ...trail, bytes }) })) !== undefined;
  };
}
