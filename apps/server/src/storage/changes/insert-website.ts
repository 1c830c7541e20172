import type { IdempotentRequest } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../engine/database.ts";
import { prepareRun, type Run } from "../engine/prepare-run.ts";
import { rowOf, Steps, type StepTools } from "../engine/steps.ts";
import type { AuditEntryRow } from "../tables/schema.ts";
import type { WebsiteRow } from "../tables/websites.ts";
import { countChange, notBeforeNewest } from "./change-website.ts";
import { hasTrailRoom, type TrailValues } from "./trail.ts";

/** A new row without what its account assigns. */
export type UnassignedRow = Omit<WebsiteRow, "id" | "created_at" | "updated_at">;

/** What the account assigns to a new website, whose `updated_at` is `created_at`. */
type AssignedColumns = Pick<WebsiteRow, "id" | "created_at">;

/** Without an idempotency key, the steps use none of its values. */
type KeptValues = UnassignedRow & AuditEntryRow & TrailValues & IdempotentRequest;

/**
 * Prepares the insert of a website under the next id of its account, with its entry in the audit trail. It changes
 * nothing if the account has no room, also in the trail, or the domain is taken.
 *
 * @param isKept whether it also keeps the outcome for an idempotency key. Then it changes nothing if the key was used. The outcome needs
 *   the entry, so the entry is not left to the end of the batch: the same request may be in it again.
 */
export function prepareInsertWebsite(database: Database, isKept: boolean): Run<KeptValues, AssignedColumns> {
  const added = new Steps<KeptValues>()
    .step("account", (tools) => (isKept ? assignId(tools).where(isUnused(tools)) : assignId(tools)))
    .step("created", addWebsite);
  const steps = isKept
    ? added.step("audited", (tools) => addEntry(tools).returning("account_id")).step("kept", keepOutcome)
    : added.step("audited", addEntry, "last");
  return prepareRun<KeptValues, AssignedColumns>(database, {
    steps: steps.list,
    result: "created",
    also: (transaction, { account_id: accountId }, { id }) =>
      database.websiteSearch.add(transaction, { accountId, id }),
  });
}

type Tools = Pick<StepTools<KeptValues, unknown>, "build" | "value">;

/**
 * Assigns the next id if the account has room and the domain is free. The row of the account is updated first, on every engine.
 * This waits for other creates of the account, so ids are assigned one at a time, and then sees the count that they left.
 */
function assignId({ build, value }: Tools) {
  const owner = build
    .selectFrom("websites")
    .select("id")
    .where("account_id", "=", value("account_id"))
    .where("domain", "=", value("domain"));
  return build
    .updateTable("accounts")
    .set((column) => ({
      website_count: column("website_count", "+", 1),
      last_website_id: column("last_website_id", "+", 1),
      last_website_created_at: notBeforeNewest(column, value("at")),
      ...countChange(column, value, notBeforeNewest(column, value("at"))),
    }))
    .where("id", "=", value("account_id"))
    .where(({ or, eb, ref }) => or([eb("website_limit", "is", null), eb("website_count", "<", ref("website_limit"))]))
    .where(hasTrailRoom(value))
    .where(({ not, exists }) => not(exists(owner)))
    .returning(["last_website_id as id", "last_website_created_at as at", "change_count as number"]);
}

function isUnused({ build, value }: Tools) {
  const used = build
    .selectFrom("idempotency_keys")
    .select("key")
    .where("account_id", "=", value("account_id"))
    .where("key", "=", value("key"));
  return sql<boolean>`not exists ${used}`;
}

interface AssignedRows {
  readonly account: { readonly id: number; readonly at: number; readonly number: number };
}

function addWebsite({ value, of, insertAfter }: StepTools<KeptValues, AssignedRows>) {
  const given = { id: of("account", "id"), created_at: of("account", "at"), updated_at: of("account", "at") };
  return insertAfter("account", "websites", rowOf("websites", value, given)).returning(["id", "created_at"]);
}

function addEntry({ value, of, insertAfter }: StepTools<KeptValues, AssignedRows>) {
  const given = { at: of("account", "at"), subject_id: of("account", "id"), position: of("account", "number") };
  return insertAfter("account", "audit_entries", rowOf("audit_entries", value, given));
}

/**
 * Adds the outcome of the request: a `KeptCreation` with the id that was assigned. Casts are immutable and `concat` is
 * only stable, which distributed databases may refuse in a change. SQLite gets numbers as floating-point numbers.
 */
function keepOutcome({
  value,
  of,
  insertAfter,
}: StepTools<KeptValues, { readonly created: AssignedColumns; readonly audited: unknown }>) {
  const id = sql`cast(cast(${of("created", "id")} as bigint) as text)`;
  const at = sql`cast(cast(${of("created", "created_at")} as bigint) as text)`;
  const outcome = sql`'{"created":{"id":' || ${id} || ',"at":' || ${at} || '}}'`;
  const row = rowOf("idempotency_keys", value, { outcome, created_at: sql`${value("at")}` });
  return insertAfter("created", "idempotency_keys", row).returning("key");
}
