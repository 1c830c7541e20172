import type { IdempotentRequest } from "@siteward/service";
import { insertInto, prepareChange, type Run, type Step } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import { type Sql, sql } from "../engine/statement.ts";
import type { AuditEntryRow } from "../tables/schema.ts";
import type { WebsiteRow } from "../tables/websites.ts";
import { countChange, newestAt } from "./change-website.ts";
import { hasTrailRoom, type TrailValues } from "./trail.ts";

/** A new row without what its account assigns. */
export type UnassignedRow = Omit<WebsiteRow, "id" | "created_at" | "updated_at">;

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
const assigned = sql`returning last_website_id as id, last_website_created_at as at, change_count as number`;

const account = { id: sql`{account.id}`, created_at: sql`{account.at}`, updated_at: sql`{account.at}` };
const added: Step = {
  name: "created",
  sql: sql`${insertInto("websites", account, sql`{from account}`)} returning id, created_at`,
};
const entry = { at: sql`{account.at}`, subject_id: sql`{account.id}`, position: sql`{account.number}` };
const addEntry = insertInto("audit_entries", entry, sql`{from account}`);

/**
 * The outcome of the request: a `KeptCreation` with the id that was assigned. Casts are immutable and `concat` is only
 * stable, which distributed databases may refuse in a change. SQLite gets numbers as floating-point numbers.
 */
const asText = (column: Sql) => sql`cast(cast({created.${column}} as bigint) as text)`;
const outcome = sql`'{"created":{"id":' || ${asText(sql`id`)} || ',"at":' || ${asText(sql`created_at`)} || '}}'`;
const keepOutcome = insertInto("idempotency_keys", { outcome, created_at: sql`:at` }, sql`{from created}`);

const plain: readonly Step[] = [
  { name: "account", sql: sql`${assignId} ${assigned}` },
  added,
  { name: "audited", sql: addEntry, kind: "last" },
];
/** The outcome needs the entry, so the entry is not left to the end of the batch: the same request may be in it again. */
const kept: readonly Step[] = [
  { name: "account", sql: sql`${assignId} ${isUnused} ${assigned}` },
  added,
  { name: "audited", sql: sql`${addEntry} returning account_id` },
  { name: "kept", sql: sql`${keepOutcome} returning key` },
];

/**
 * Prepares the insert of a website under the next id of its account, with its entry in the audit trail. It changes
 * nothing if the account has no room, also in the trail, or the domain is taken.
 *
 * @param isKept whether it also keeps the outcome for an idempotency key. Then it changes nothing if the key was used.
 */
export function prepareInsertWebsite(database: Database, isKept: boolean): Run<KeptValues, AssignedColumns> {
  return prepareChange<KeptValues, AssignedColumns>(database, {
    steps: isKept ? kept : plain,
    result: "created",
    also: (transaction, { account_id: accountId }, { id }) =>
      database.websiteSearch.add(transaction, { accountId, id }),
  });
}
