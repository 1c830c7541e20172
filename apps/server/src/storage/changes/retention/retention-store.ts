import { keptMs } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { RetentionStore } from "../../interface/retention-store.ts";
import { type CallChange, callHere } from "../call-change.ts";

/** On SQLite, checking an account takes about 4 µs, for which the process answers no request. */
const accountsPerRead = 100;

/**
 * Creates the store that deletes what is kept no longer.
 *
 * @param call makes the changes. By default they are made through `database`.
 */
export function createRetentionStore(database: Database, call: CallChange = callHere(database)): RetentionStore {
  const findOldest = prepareFindOldest(database);
  const readExpiry = (auditRetentionMs: number) => ({
    // An outcome needs the entry of its creation, however short the retention is.
    entriesSince: Math.max(0, database.now() - Math.max(auditRetentionMs, keptMs)),
    outcomesUntil: database.now() - keptMs,
  });
  return {
    async findExpired({ afterAccountId, auditRetentionMs }) {
      const { entriesSince, outcomesUntil } = readExpiry(auditRetentionMs);
      const accounts = await database.primary.read(findOldest({ afterAccountId }));
      const expired = accounts.filter(
        ({ entryAt, outcomeAt }) =>
          (entryAt !== null && entryAt < entriesSince) || (outcomeAt !== null && outcomeAt <= outcomesUntil),
      );
      const isLast = accounts.length < accountsPerRead;
      return { accountIds: expired.map(({ id }) => id), lastAccountId: isLast ? undefined : accounts.at(-1)?.id };
    },
    deleteExpired: (accountId, auditRetentionMs) =>
      call("deleteExpired", { accountId, ...readExpiry(auditRetentionMs) }),
  };
}

/** Reads the oldest times of the next accounts, each of which is the first in an index. */
function prepareFindOldest({ build }: Database) {
  return prepare((value: Placeholder<{ afterAccountId: number }>) =>
    build
      .selectFrom("accounts")
      .select(({ selectFrom }) => [
        "accounts.id",
        selectFrom("audit_entries")
          .select("at")
          .whereRef("audit_entries.account_id", "=", "accounts.id")
          .orderBy("at")
          .limit(1)
          .as("entryAt"),
        selectFrom("idempotency_keys")
          .select("created_at")
          .whereRef("idempotency_keys.account_id", "=", "accounts.id")
          .orderBy("created_at")
          .limit(1)
          .as("outcomeAt"),
      ])
      .where("accounts.id", ">", value("afterAccountId"))
      .orderBy("accounts.id")
      .limit(accountsPerRead),
  );
}
