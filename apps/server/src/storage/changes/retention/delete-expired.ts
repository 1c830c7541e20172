import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";

/** What is kept no longer of an account. Times are in milliseconds since 1970. */
export interface AccountExpiry {
  readonly accountId: number;
  /** The time of the oldest entry of the audit trail that is kept. */
  readonly entriesSince: number;
  /** The time of the newest outcome of a request that is no longer kept. */
  readonly outcomesUntil: number;
}

/** On SQLite, deleting as many rows of a table takes about a millisecond, for which other changes wait. */
const rowsPerStatement = 50;

/**
 * Deletes the oldest rows of an account that are kept no longer, at most 50 of each table. Each table is one transaction.
 * Returns whether there may be more. Outcomes go first: that of a creation needs its entry, which is never older.
 */
export function prepareDeleteExpired(database: Database): (expiry: AccountExpiry) => Promise<boolean> {
  const statements = [prepareDeleteOutcomes(database), prepareDeleteEntries(database)];
  return async (expiry) => {
    for (const statement of statements) {
      const deleted = await database.writeOne<{ account_id: number }>(statement(expiry));
      if (deleted.length === rowsPerStatement) return true;
    }
    return false;
  };
}

function prepareDeleteEntries({ build }: Database) {
  return prepare((value: Placeholder<AccountExpiry>) =>
    build
      .deleteFrom("audit_entries")
      .where("account_id", "=", value("accountId"))
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("at", "subject", "subject_id", "version"),
          "in",
          selectFrom("audit_entries")
            .select(["at", "subject", "subject_id", "version"])
            .where("account_id", "=", value("accountId"))
            .where("at", "<", value("entriesSince"))
            .orderBy("at")
            .limit(rowsPerStatement)
            .$asTuple("at", "subject", "subject_id", "version"),
        ),
      )
      .returning("account_id"),
  );
}

/**
 * Compares the age again, because a request may replace the outcome of a key since it was selected. With a plain comparison,
 * SQLite would search by age instead of by key, and read everything that is expired.
 */
function prepareDeleteOutcomes({ build }: Database) {
  return prepare((value: Placeholder<AccountExpiry>) =>
    build
      .deleteFrom("idempotency_keys")
      .where("account_id", "=", value("accountId"))
      .where("key", "in", ({ selectFrom }) =>
        selectFrom("idempotency_keys")
          .select("key")
          .where("account_id", "=", value("accountId"))
          .where("created_at", "<=", value("outcomesUntil"))
          .orderBy("created_at")
          .limit(rowsPerStatement),
      )
      .where(({ eb, fn, lit, ref }) => eb(fn.coalesce(ref("created_at"), lit(0)), "<=", value("outcomesUntil")))
      .returning("account_id"),
  );
}
