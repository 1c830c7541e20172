import { type ChangeAuthor, changeLimitReached } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { prepared, sql } from "../engine/statement.ts";
import type { AccountRow, AuditEntryRow } from "../tables/schema.ts";

export interface AuditedChange {
  readonly by: ChangeAuthor;
  /** A JSON object: each field that changes, with its values before and after. */
  readonly changes: string;
}

type AuditedRecord = Pick<AuditEntryRow, "account_id" | "at" | "subject" | "subject_id" | "version" | "action"> &
  Partial<Pick<AuditEntryRow, "previous_at">>;

export function toAuditEntryRow(record: AuditedRecord, { by, changes }: AuditedChange): AuditEntryRow {
  return {
    previous_at: null,
    ...record,
    api_key: by.apiKey,
    operator: by.operator,
    request_id: by.requestId,
    changes,
    // A change of a website gets its number from the row of the account.
    position: null,
  };
}

/**
 * What a row takes besides its text: its other columns and its places in indexes. Of small changes, these were
 * 110 to 170 bytes on SQLite and 220 to 290 on PostgreSQL. docs/operating.md says how much more large ones can take.
 */
const rowBytes = 300;

/** Returns what a row of the audit trail, or of the outcomes of requests, counts. */
export function countRow(...texts: readonly (string | null)[]): number {
  // Null adds nothing.
  return rowBytes + Buffer.byteLength(texts.join(""));
}

const dayMs = 86_400_000;
const megabyte = 1e6;

/**
 * Deletions have half of the limit more. Who is past it can still delete what must not be stored any longer, and what
 * an account saved up to delete on one day is bounded too.
 */
const deletionFactor = 1.5;

/**
 * What a change leaves in the audit trail, and how much its account may leave in a day (UTC), with the outcomes of
 * idempotency keys.
 */
export interface TrailUse {
  readonly bytes: number;
  /** 0 for no limit. */
  readonly megabytes: number;
  readonly isDeletion: boolean;
  /** The time by the clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

export interface TrailValues {
  /** The day, counted from 1970-01-01. */
  readonly day: number;
  readonly left_bytes: number;
  readonly max_bytes: number;
}

export function toTrailValues({ bytes, megabytes, isDeletion, nowMs }: TrailUse): TrailValues {
  const limit = megabytes * megabyte * (isDeletion ? deletionFactor : 1);
  return {
    day: Math.floor(nowMs / dayMs),
    left_bytes: bytes,
    max_bytes: megabytes === 0 ? Number.MAX_SAFE_INTEGER : limit,
  };
}

/**
 * Sets the columns of an account that count what a change leaves. The day that was counted last wins, also if it is
 * an earlier one: a machine whose clock was ahead must not refuse changes until its day comes.
 */
export const addTrailBytes = sql`trail_day = :day, trail_bytes = case when trail_day = :day then trail_bytes else 0 end + :left_bytes`;

export const hasTrailRoom = sql`(trail_day <> :day or trail_bytes < :max_bytes)`;

export function prepareRequireTrailRoom({ primary }: Pick<Database, "primary">) {
  return async (accountId: number, use: TrailUse): Promise<void> => {
    const [account] = use.megabytes === 0 ? [] : await primary.read(findTrailUse, { accountId });
    if (account !== undefined) requireTrailRoom(account, use);
  };
}

const findTrailUse = prepared<Pick<AccountRow, "trail_day" | "trail_bytes">>(
  sql`select trail_day, trail_bytes from accounts where id = :accountId`,
);

/** @throws AppError `change_limit_reached` if the account has left all that it may */
export function requireTrailRoom(account: Pick<AccountRow, "trail_day" | "trail_bytes">, use: TrailUse): void {
  const { day, max_bytes: max } = toTrailValues(use);
  if (account.trail_day !== day || account.trail_bytes < max) return;
  throw changeLimitReached({ megabytes: use.megabytes, isDeletion: use.isDeletion, atMs: use.nowMs });
}
