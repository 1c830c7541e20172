import type { Database } from "../engine/database.ts";
import { firstRows, sql } from "../engine/statement.ts";

/** On SQLite, deleting as many rows of a table takes about a millisecond, for which other changes wait. */
const rowsPerStatement = 50;

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
    select ${key} from audit_entries where account_id = :accountId and at < :entriesSince order by at ${firstRows(rowsPerStatement)}
  ) returning account_id`;

/**
 * Compares the age again, because a request may replace the outcome of a key since it was selected. With a plain
 * comparison, SQLite would search by age instead of by key, and read everything that is expired.
 */
const deleteOutcomes = sql`delete from idempotency_keys where account_id = :accountId and key in (
    select key from idempotency_keys where account_id = :accountId and created_at <= :outcomesUntil
    order by created_at ${firstRows(rowsPerStatement)}
  ) and coalesce(created_at, 0) <= :outcomesUntil returning account_id`;
