import {
  type Created,
  domainTaken,
  type IdempotentRequest,
  isOutcome,
  keptMs,
  type NewWebsite,
  websiteLimitReached,
} from "@siteward/service";
import { insertInto, prepareChange, type Step } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import { prepared, type Sql, sql } from "../engine/statement.ts";
import { prepareFindCreated, refusalOutcome } from "../reads/kept-outcome.ts";
import type { AccountRow, AuditEntryRow, KeptOutcomeRow } from "../tables/schema.ts";
import { unicodeDomain, type WebsiteRow, websiteRecord } from "../tables/websites.ts";
import { countChange, newestAt } from "./change-website.ts";
import {
  type AuditedChange,
  addTrailBytes,
  countRow,
  hasTrailRoom,
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
  const prepareInsert = (steps: readonly Step[]) =>
    prepareChange<KeptValues, AssignedColumns>(database, {
      steps,
      result: "created",
      also: (transaction, { account_id: accountId }, { id }) =>
        database.websiteSearch.add(transaction, { accountId, id }),
    });
  const [insertPlain, insertKept] = [prepareInsert(plain), prepareInsert(kept)];
  const find = prepareFindCreated(database);
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
      const earlier = idempotency === noKey ? undefined : await find(accountId, idempotency, trail.nowMs);
      if (earlier !== undefined && earlier !== "expired") return earlier;
      const { key } = idempotency;
      if (earlier === "expired")
        await database.writeOne(deleteExpired, { accountId, key, until: trail.nowMs - keptMs });
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

/** A new row without what its account assigns. */
type UnassignedRow = Omit<WebsiteRow, "id" | "created_at" | "updated_at">;

/** What the account assigns to a new website, whose `updated_at` is `created_at`. */
type AssignedColumns = Pick<WebsiteRow, "id" | "created_at">;

/** Without an idempotency key, the steps use none of its values. */
type KeptValues = UnassignedRow & AuditEntryRow & TrailValues & IdempotentRequest;

/**
 * Assigns the next id if the account has room and the domain is free. The row of the account is updated first, on every engine.
 * This waits for other creates of the account, so ids are assigned one at a time, and then sees the count that they left.
 */
const assignId = sql`update accounts set website_count = website_count + 1, last_website_id = last_website_id + 1,
    last_website_created_at = ${newestAt}, ${countChange(newestAt)}
  where id = :account_id and (website_limit is null or website_count < website_limit) and ${hasTrailRoom}
    and not exists (select 1 from websites where account_id = :account_id and domain = :domain)`;
const isUnused = sql`and not exists (select 1 from idempotency_keys where account_id = :account_id and key = :key)`;
const returnAssigned = sql`returning last_website_id as id, last_website_created_at as at, change_count as number`;

const ofAccount = { id: sql`{account.id}`, created_at: sql`{account.at}`, updated_at: sql`{account.at}` };
const added: Step = {
  name: "created",
  sql: sql`${insertInto("websites", ofAccount, sql`{from account}`)} returning id, created_at`,
};
const ofEntry = { at: sql`{account.at}`, subject_id: sql`{account.id}`, position: sql`{account.number}` };
const addEntry = insertInto("audit_entries", ofEntry, sql`{from account}`);

/**
 * The outcome of the request: a `KeptCreation` with the id that was assigned. Casts are immutable and `concat` is only
 * stable, which distributed databases may refuse in a change. SQLite gets numbers as floating-point numbers.
 */
const asText = (column: Sql) => sql`cast(cast({created.${column}} as bigint) as text)`;
const keptCreation = sql`'{"created":{"id":' || ${asText(sql`id`)} || ',"at":' || ${asText(sql`created_at`)} || '}}'`;
const keepOutcome = insertInto(
  "idempotency_keys",
  { outcome: keptCreation, created_at: sql`:at` },
  sql`{from created}`,
);

const plain: readonly Step[] = [
  { name: "account", sql: sql`${assignId} ${returnAssigned}` },
  added,
  { name: "audited", sql: addEntry, kind: "last" },
];
/** The outcome needs the entry, so the entry is not left to the end of the batch: the same request may be in it again. */
const kept: readonly Step[] = [
  { name: "account", sql: sql`${assignId} ${isUnused} ${returnAssigned}` },
  added,
  { name: "audited", sql: sql`${addEntry} returning account_id` },
  { name: "kept", sql: sql`${keepOutcome} returning key` },
];

/** Compares the age again: another request may have replaced the outcome since it was read. */
const deleteExpired = sql`delete from idempotency_keys
  where account_id = :accountId and key = :key and created_at <= :until`;

interface Room extends Pick<AccountRow, "website_count" | "website_limit" | "trail_day" | "trail_bytes"> {
  /** The website that has the domain. Null if none has. */
  readonly owner_id: number | null;
}

const findRoom = prepared<Room>(sql`select website_count, website_limit, trail_day, trail_bytes,
    (select id from websites where account_id = :accountId and domain = :domain) as owner_id
  from accounts where id = :accountId`);

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
 *
 * An expired outcome was deleted before. Of two requests at the same time, that of the second may count in the trail too.
 */
function keepRefusals(database: Database, create: Create): Create {
  const insert = insertInto("idempotency_keys", {}, sql`{from counted}`);
  const steps = [
    { name: "counted", sql: sql`update accounts set ${addTrailBytes} where id = :account_id returning id` },
    { name: "kept", sql: sql`${insert} on conflict (account_id, key) do nothing returning key` },
  ];
  const keep = prepareChange<KeptOutcomeRow & TrailValues, object>(database, { steps, result: "kept" });
  return async (creation) => {
    try {
      return await create(creation);
    } catch (error) {
      const { accountId, idempotency, trail } = creation;
      if (idempotency === undefined || !isOutcome(error)) throw error;
      const outcome = refusalOutcome(error.failure);
      const row = { account_id: accountId, ...idempotency, outcome, created_at: trail.nowMs };
      const bytes = countRow(idempotency.key, idempotency.fingerprint, outcome);
      if ((await keep({ ...row, ...toTrailValues({ ...trail, bytes }) })) !== undefined) throw error;
      return create(creation);
    }
  };
}
