import { keptMs } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { sql } from "../engine/statement.ts";
import type { RetentionStore } from "../interface/retention-store.ts";

/** On SQLite, checking an account takes about 4 µs, for which the process answers no request. */
const accountsPerRead = 100;
/** On SQLite, deleting as many rows of a table takes about a millisecond, for which other changes wait. */
const rowsPerStatement = 50;

export function createRetentionStore(
  { primary, now }: Pick<Database, "primary" | "now">,
  deleteExpired: ReturnType<typeof prepareDeleteExpired>,
): RetentionStore {
  const readExpiry = (auditRetentionMs: number) => ({
    // An outcome needs the entry of its creation, however short the retention is.
    entriesSince: Math.max(0, now() - Math.max(auditRetentionMs, keptMs)),
    outcomesUntil: now() - keptMs,
  });
  return {
    async findExpired({ afterAccountId, auditRetentionMs }) {
      const { entriesSince, outcomesUntil } = readExpiry(auditRetentionMs);
      const accounts = await primary.read<OldestTimes>(selectOldest, { afterAccountId });
      const expired = accounts.filter(
        ({ entry_at: entryAt, outcome_at: outcomeAt }) =>
          (entryAt !== null && entryAt < entriesSince) || (outcomeAt !== null && outcomeAt <= outcomesUntil),
      );
      const isLast = accounts.length < accountsPerRead;
      return { accountIds: expired.map(({ id }) => id), lastAccountId: isLast ? undefined : accounts.at(-1)?.id };
    },
    deleteExpired: (accountId, auditRetentionMs) => deleteExpired({ accountId, ...readExpiry(auditRetentionMs) }),
  };
}

interface OldestTimes {
  readonly id: number;
  readonly entry_at: number | null;
  readonly outcome_at: number | null;
}

/** Selects the oldest times of the next accounts, each of which is the first in an index. */
const selectOldest = sql`select id,
    (select at from audit_entries where account_id = accounts.id order by 1 limit 1) as entry_at,
    (select created_at from idempotency_keys where account_id = accounts.id order by 1 limit 1) as outcome_at
  from accounts where id > :afterAccountId order by id limit ${accountsPerRead}`;

/** What is kept no longer of an account. Times are in milliseconds since 1970. */
export interface AccountExpiry {
  readonly accountId: number;
  /** The time of the oldest entry of the audit trail that is kept. */
  readonly entriesSince: number;
  /** The time of the newest outcome of a request that is no longer kept. */
  readonly outcomesUntil: number;
}

/** Each table is one transaction. Outcomes go first: that of a creation needs its entry, which is never older. */
export function prepareDeleteExpired({ writeOne }: Pick<Database, "writeOne">) {
  return async (expiry: AccountExpiry): Promise<boolean> => {
    for (const statement of [deleteOutcomes, deleteEntries]) {
      const deleted = await writeOne(statement, expiry);
      if (deleted.length === rowsPerStatement) return true;
    }
    return false;
  };
}

const key = sql`at, subject, subject_id, version`;
const deleteEntries = sql`delete from audit_entries where account_id = :accountId and (${key}) in (
    select ${key} from audit_entries where account_id = :accountId and at < :entriesSince order by at limit ${rowsPerStatement}
  ) returning account_id`;

/**
 * Compares the age again, because a request may replace the outcome of a key since it was selected. With a plain
 * comparison, SQLite would search by age instead of by key, and read everything that is expired.
 */
const deleteOutcomes = sql`delete from idempotency_keys where account_id = :accountId and key in (
    select key from idempotency_keys where account_id = :accountId and created_at <= :outcomesUntil
    order by created_at limit ${rowsPerStatement}
  ) and coalesce(created_at, 0) <= :outcomesUntil returning account_id`;
