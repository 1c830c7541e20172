import {
  type Created,
  type Failure,
  type IdempotentRequest,
  idempotencyKeyReused,
  keptMs,
  type NewWebsite,
  replayed,
} from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { listNames, prepared, sql } from "../engine/statement.ts";
import { readChanges } from "../tables/audit-changes.ts";
import { type AuditEntryRow, idempotencyKeys, type KeptOutcomeRow } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";
import { websiteRecord } from "../tables/websites.ts";

/** A refusal, as it is stored instead of a creation. */
interface KeptRefusal {
  readonly refusal: Failure;
}

/**
 * A creation as it is kept for its idempotency key. It names the entry in the audit trail, which has the record as it
 * was created, whatever happened to it since.
 */
interface KeptCreation {
  readonly created: {
    readonly id: number;
    /** In milliseconds since 1970. */
    readonly at: number;
  };
}

export function refusalOutcome(refusal: Failure): string {
  return JSON.stringify({ refusal } satisfies KeptRefusal);
}

/**
 * Returns a function that finds the record that the first request with an idempotency key created, or that its outcome
 * is no longer kept at a time, in milliseconds since 1970. It is undefined if there is no outcome, or if it was deleted
 * with its entry since it was read. The function throws an AppError `idempotency_key_reused` if the first request was
 * another one, or the refusal if it was refused.
 */
export function prepareFindCreated({ primary }: Pick<Database, "primary">) {
  return async (
    account_id: number,
    request: IdempotentRequest,
    at: number,
  ): Promise<Created | "expired" | undefined> => {
    const [kept] = await primary.read(findOutcome, { account_id, key: request.key });
    if (kept === undefined) return undefined;
    if (kept.created_at <= at - keptMs) return "expired";
    const { created } = readSuccess(kept, request);
    const [entry] = await primary.read(findEntry, { account_id, ...created });
    return entry && toCreated(account_id, created, entry.changes);
  };
}

const findOutcome = prepared<KeptOutcomeRow>(sql`select ${listNames(columnNames(idempotencyKeys))} from idempotency_keys
  where account_id = :account_id and key = :key`);
const findEntry = prepared<Pick<AuditEntryRow, "changes">>(sql`select changes from audit_entries
  where account_id = :account_id and at = :at and subject = 'website' and subject_id = :id and version = 1`);

function readSuccess(kept: KeptOutcomeRow, request: IdempotentRequest): KeptCreation {
  if (kept.fingerprint !== request.fingerprint) throw idempotencyKeyReused();
  // The cast is safe: only creations have keys, and the fingerprint contains method and path.
  const outcome = JSON.parse(kept.outcome) as KeptCreation | KeptRefusal;
  if ("refusal" in outcome) throw replayed(outcome.refusal);
  return outcome;
}

/** Returns the record that a creation stored, by its entry in the audit trail. */
function toCreated(accountId: number, { id, at }: KeptCreation["created"], changes: string): Created {
  const { password, ...fields } = readChanges(changes);
  const settings = Object.entries(fields).map(([name, change]) => [
    name,
    typeof change === "object" && "to" in change ? change.to : change,
  ]);
  // The cast is safe: the fields are those that the creation stored.
  const stored = websiteRecord.toStored(Object.fromEntries(settings) as Omit<NewWebsite, "passwordHash">);
  const website = websiteRecord.fromRow({
    ...stored,
    // Only whether there is one is shown.
    password_hash: password === "set" ? "set" : null,
    account_id: accountId,
    id,
    version: 1,
    created_at: at,
    updated_at: at,
    unicode_domain: null,
  });
  return { website, version: 1, isReplay: true };
}
